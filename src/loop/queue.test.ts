import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentMessage, QueueName } from './index';
import { user } from './loop.testing';
import { MessageQueues } from './queue';

interface Change {
  queue: QueueName;
  content: string[];
  why: string;
  ids: string[];
}

const textOf = (message: AgentMessage) =>
  'content' in message && Array.isArray(message.content) && message.content[0]?.type === 'text'
    ? message.content[0].text
    : '';

function queues(mode: 'one-at-a-time' | 'all' = 'one-at-a-time') {
  const changes: Change[] = [];
  let count = 0;
  const both = new MessageQueues({
    modes: { steering: mode, followUp: mode },
    newId: () => `q${++count}`,
    onChange: (queue, content, why, ids) =>
      changes.push({ queue, content: content.map(({ message }) => textOf(message)), why, ids }),
  });
  return { both, changes };
}

const texts = (list: readonly { message: AgentMessage }[]) => list.map(({ message }) => textOf(message));

describe('draining', () => {
  test('takes the oldest message one at a time', () => {
    const { both } = queues();
    both.enqueue('steering', user('a'));
    both.enqueue('steering', user('b'));
    expect(texts(both.drain('steering'))).toEqual(['a']);
    expect(texts(both.drain('steering'))).toEqual(['b']);
    expect(both.drain('steering')).toEqual([]);
  });

  test('takes everything when the mode says all, and reads the mode at each drain', () => {
    const { both } = queues();
    for (const text of ['a', 'b', 'c']) both.enqueue('followUp', user(text));
    both.drain('followUp');
    both.modes.followUp = 'all';
    expect(texts(both.drain('followUp'))).toEqual(['b', 'c']);
  });

  test('is what peek shows, which takes nothing', () => {
    const { both } = queues();
    both.enqueue('steering', user('a'));
    both.enqueue('steering', user('b'));
    expect(texts(both.peek('steering'))).toEqual(['a']);
    expect(both.content('steering')).toHaveLength(2);
  });
});

describe('changing what is queued by id', () => {
  test('removes one message and leaves the rest in order', () => {
    const { both } = queues();
    const ids = ['a', 'b', 'c'].map((text) => both.enqueue('steering', user(text)));
    expect(textOf(both.remove(ids[1] ?? '')?.message ?? user('none'))).toBe('b');
    expect(texts(both.content('steering'))).toEqual(['a', 'c']);
  });

  test('edits a message in its place, under its id', () => {
    const { both } = queues();
    const id = both.enqueue('steering', user('a'));
    both.enqueue('steering', user('b'));
    expect(both.edit(id, user('A'))).toBe(true);
    expect(both.content('steering').map((queued) => [queued.id, textOf(queued.message)])).toEqual([
      [id, 'A'],
      ['q2', 'b'],
    ]);
  });

  test.each([
    [0, ['c', 'a', 'b']],
    [1, ['a', 'c', 'b']],
    [undefined, ['a', 'b', 'c']],
    [99, ['a', 'b', 'c']],
    [-5, ['c', 'a', 'b']],
  ])('reorders within a queue: the last one to index %s', (index, expected) => {
    const { both } = queues();
    const ids = ['a', 'b', 'c'].map((text) => both.enqueue('steering', user(text)));
    expect(both.move(ids[2] ?? '', 'steering', index)).toBe(true);
    expect(texts(both.content('steering'))).toEqual(expected);
  });

  test('moves a message to the other queue, where it keeps its id', () => {
    const { both } = queues();
    const id = both.enqueue('followUp', user('late'));
    both.enqueue('steering', user('now'));
    expect(both.move(id, 'steering', 0)).toBe(true);
    expect(both.content('steering').map((queued) => queued.id)).toEqual([id, 'q2']);
    expect(both.content('followUp')).toEqual([]);
  });

  test('says that no message has an id', () => {
    const { both, changes } = queues();
    expect(both.remove('nope')).toBeUndefined();
    expect(both.edit('nope', user('x'))).toBe(false);
    expect(both.move('nope', 'steering')).toBe(false);
    expect(changes).toEqual([]);
  });

  test('never changes a list that was given out', () => {
    const { both } = queues();
    const id = both.enqueue('steering', user('a'));
    const before = both.content('steering');
    both.edit(id, user('A'));
    both.clear('steering');
    expect(texts(before)).toEqual(['a']);
  });
});

describe('who watches the queues', () => {
  test('is told of each change: the content after it, why, and which messages', () => {
    const { both, changes } = queues();
    const a = both.enqueue('steering', user('a'));
    const b = both.enqueue('steering', user('b'));
    both.move(b, 'steering', 0);
    both.edit(a, user('A'));
    both.drain('steering');
    both.remove(a);
    expect(changes).toEqual([
      { queue: 'steering', content: ['a'], why: 'enqueue', ids: [a] },
      { queue: 'steering', content: ['a', 'b'], why: 'enqueue', ids: [b] },
      { queue: 'steering', content: ['b', 'a'], why: 'reorder', ids: [b] },
      { queue: 'steering', content: ['b', 'A'], why: 'edit', ids: [a] },
      { queue: 'steering', content: ['A'], why: 'drain', ids: [b] },
      { queue: 'steering', content: [], why: 'remove', ids: [a] },
    ]);
  });

  test('is told of both queues when a message moves between them', () => {
    const { both, changes } = queues();
    const id = both.enqueue('followUp', user('a'));
    both.move(id, 'steering');
    expect(changes.slice(1)).toEqual([
      { queue: 'followUp', content: [], why: 'move', ids: [id] },
      { queue: 'steering', content: ['a'], why: 'move', ids: [id] },
    ]);
  });

  test('hears nothing when nothing changed', () => {
    const { both, changes } = queues();
    const id = both.enqueue('steering', user('a'));
    both.move(id, 'steering', 0);
    both.clear('followUp');
    both.drain('followUp');
    expect(changes).toHaveLength(1);
  });
});

test('queues lose and duplicate nothing, whatever is done to them', () => {
  const queue = fc.constantFrom<QueueName>('steering', 'followUp');
  const nth = fc.nat(20);
  const operation = fc.oneof(
    fc.record({ do: fc.constant('enqueue' as const), queue }),
    fc.record({ do: fc.constant('drain' as const), queue }),
    fc.record({ do: fc.constant('remove' as const), nth }),
    fc.record({ do: fc.constant('edit' as const), nth }),
    fc.record({
      do: fc.constant('move' as const),
      nth,
      queue,
      index: fc.option(fc.integer({ min: -2, max: 9 }), { nil: undefined }),
    }),
    fc.record({ do: fc.constant('clear' as const), queue }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('one-at-a-time' as const, 'all' as const),
      fc.array(operation, { maxLength: 40 }),
      (mode, operations) => {
        const { both, changes } = queues(mode);
        const ids: string[] = [];
        const left: string[] = [];
        for (const step of operations) {
          const id = 'nth' in step ? (ids[step.nth % Math.max(ids.length, 1)] ?? 'none') : '';
          if (step.do === 'enqueue') ids.push(both.enqueue(step.queue, user('m')));
          else if (step.do === 'drain') left.push(...both.drain(step.queue).map((queued) => queued.id));
          else if (step.do === 'remove')
            left.push(...[both.remove(id)].flatMap((queued) => (queued ? [queued.id] : [])));
          else if (step.do === 'edit') both.edit(id, user('edited'));
          else if (step.do === 'move') both.move(id, step.queue, step.index);
          else {
            left.push(...both.content(step.queue).map((queued) => queued.id));
            both.clear(step.queue);
          }
        }
        const waiting = [...both.content('steering'), ...both.content('followUp')].map((queued) => queued.id);
        expect([...left, ...waiting].sort()).toEqual([...ids].sort());
        for (const name of ['steering', 'followUp'] as const) {
          const told = changes.findLast((change) => change.queue === name);
          expect(told?.content ?? []).toEqual(texts(both.content(name)));
        }
      },
    ),
  );
});
