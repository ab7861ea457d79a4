/** Long sessions, for benchmarks and for tests of how things grow. */
import { Recording } from './recording';

export interface Length {
  runs: number;
  turnsPerRun: number;
  deltasPerTurn: number;
}

/** Runs of turns, each with one streamed answer that calls a tool once, but for the last of a run. */
export function longSession({ runs, turnsPerRun, deltasPerTurn }: Length): Recording {
  const recording = new Recording();
  const chunk = 12;
  const text = 'And so it went on. '
    .repeat(Math.ceil((deltasPerTurn * chunk) / 19))
    .slice(0, deltasPerTurn * chunk);
  for (let n = 0; n < runs; n++) {
    const run = recording.startRun();
    for (let left = turnsPerRun - 1; left >= 0; left--) longTurn(recording, run, text, chunk, left);
    recording.endRun(run);
  }
  return recording;
}

function longTurn(recording: Recording, run: string, text: string, chunk: number, left: number): void {
  const turn = recording.startTurn(run);
  recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'turnEnd', count: 0 });
  if (recording.transcript.length === 0 || left > 0) recording.user(turn, 'Go on.', 'steering');
  const blocks = [
    { type: 'text' as const, text },
    ...(left > 0 ? [{ type: 'toolCall' as const, name: 'read', arguments: { path: '/a.txt' } }] : []),
  ];
  const message = recording.assistant(run, turn, { blocks, chunk });
  const results: string[] = [];
  if (left > 0) {
    const call = recording.startCall(run, turn, message, 1, 'read');
    recording.add({ type: 'tool_execution_update', call, append: 'some of it' });
    recording.endCall(call, 'all of it');
    results.push(recording.result(turn, call, 'read'));
  }
  recording.endTurn(turn, message, results);
  recording.decide(run, turn, 'inner', left > 0, { toolResults: results.length });
}
