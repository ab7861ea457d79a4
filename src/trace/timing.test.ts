import { expect, it } from 'vitest';
import { fold } from './fold';
import { Recording } from './testing/recording';
import { answerTiming } from './timing';

it('an answer took as long as from its request to its end, of which the wait for the first token is a part', () => {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  const id = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Done.' }] });
  const trace = fold(recording.records);
  const message = trace.messages.get(id)!;
  const request = trace.requests[0]!;
  expect(answerTiming(trace, message, trace.at)).toEqual({
    took: message.endAt! - request.at,
    toFirstToken: message.firstTokenAt! - request.at,
  });
  expect(request.at).toBeLessThan(message.at);
});
