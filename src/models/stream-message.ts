import { EventStream } from '../loop';
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model,
  StreamOptions,
} from '../loop';
import { MessageBuilder, type GoodStop } from './assistant-message';
import { abortedError, asModelError } from './errors';
import { Watch } from './watch';

/**
 * The stream of one assistant message. Whatever `produce` throws becomes its final message; an abort wins over any error
 * that it caused.
 */
export function streamMessage(
  model: Model,
  options: StreamOptions,
  produce: (builder: MessageBuilder, watch: Watch) => Promise<GoodStop>,
): AssistantMessageEventStream {
  const stream = new EventStream<AssistantMessageEvent, AssistantMessage>(
    (event) => event.type === 'done' || event.type === 'error',
    (event) => {
      if (event.type === 'done') return event.message;
      if (event.type === 'error') return event.error;
      throw new Error(`The event ${event.type} has no final message`);
    },
  );
  const builder = new MessageBuilder((event) => stream.push(event), model, options);
  void run(builder, new Watch(options), produce);
  return stream;
}

async function run(
  builder: MessageBuilder,
  watch: Watch,
  produce: (builder: MessageBuilder, watch: Watch) => Promise<GoodStop>,
): Promise<void> {
  try {
    if (watch.aborted) throw abortedError();
    const reason = await produce(builder, watch);
    if (watch.aborted) throw abortedError();
    builder.done(reason);
  } catch (error) {
    builder.fail(watch.aborted ? abortedError() : asModelError(error));
  } finally {
    watch.dispose();
  }
}
