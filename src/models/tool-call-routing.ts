import type { MessageBuilder, OpenCall } from './assistant-message';

/** One entry of a chunk's tool calls, whatever was wrong with it taken away. */
export interface CallPiece {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  text: string;
}

interface RoutedCall {
  open: OpenCall;
  index: number | undefined;
  /** The server's own id; absent while ours stands in. */
  id: string | undefined;
  shape: ObjectShape;
}

/** Says which call a piece belongs to, for servers that leave out, repeat or reuse indexes, ids and names. */
export class ToolCallRouting {
  readonly #builder: MessageBuilder;
  readonly #ownId: (n: number) => string;
  readonly #calls: RoutedCall[] = [];

  readonly #beforeCall: () => void;

  /** `ownId` makes the id of the nth call that comes without one. */
  constructor(builder: MessageBuilder, ownId: (n: number) => string, beforeCall: () => void) {
    this.#builder = builder;
    this.#ownId = ownId;
    this.#beforeCall = beforeCall;
  }

  accept(piece: CallPiece): void {
    const call = this.#find(piece) ?? this.#create(piece);
    if (!call) return;
    if (piece.id !== undefined && call.id === undefined) {
      call.id = piece.id;
      call.open.block.id = piece.id;
    }
    // A name that comes again, whole or longer, is the same name; it is never appended to itself.
    const { name } = call.open.block;
    if (piece.name && (name === '' || (piece.name !== name && piece.name.startsWith(name)))) {
      this.#builder.nameCall(call.open, piece.name);
    }
    if (piece.text === '') return;
    call.shape.feed(piece.text);
    this.#builder.callArguments(call.open, piece.text);
  }

  #create({ index, id, name, text }: CallPiece): RoutedCall | undefined {
    if (id === undefined && name === undefined && text === '') return undefined;
    this.#beforeCall();
    const open = this.#builder.toolCall(id ?? this.#ownId(this.#calls.length), name ?? '');
    const call: RoutedCall = { open, index, id, shape: new ObjectShape() };
    this.#calls.push(call);
    return call;
  }

  #find(piece: CallPiece): RoutedCall | undefined {
    return piece.id === undefined ? this.#findWithoutId(piece) : this.#findById(piece, piece.id);
  }

  #findById(piece: CallPiece, id: string): RoutedCall | undefined {
    const same = this.#calls.findLast(
      (call) =>
        call.id === id &&
        (call.index === piece.index || call.index === undefined || piece.index === undefined),
    );
    if (same) return this.#isNext(same, piece) ? undefined : same;
    // The same id and a name under another index is another call: some servers give one id twice.
    const known = this.#calls.findLast((call) => call.id === id);
    if (known) return piece.name === undefined ? known : undefined;
    const latest = piece.index === undefined ? this.#calls.at(-1) : this.#latestAt(piece.index);
    if (!latest) return undefined;
    // An id that comes late belongs to the call that has none; a new id without a name to the call that is open.
    if (latest.id === undefined) return this.#isNext(latest, piece) ? undefined : latest;
    return piece.name === undefined ? latest : undefined;
  }

  #findWithoutId(piece: CallPiece): RoutedCall | undefined {
    const latest = piece.index === undefined ? this.#calls.at(-1) : this.#latestAt(piece.index);
    return latest && !this.#isNext(latest, piece) ? latest : undefined;
  }

  /** A name after whole arguments starts a new call, unless it only repeats what is there. */
  #isNext(latest: RoutedCall, { name, text }: CallPiece): boolean {
    if (name === undefined) return false;
    const { block } = latest.open;
    if (block.name === '') return false;
    if (!latest.shape.isWhole)
      return latest.open.text === '' && name !== block.name && !name.startsWith(block.name);
    return name !== block.name || (text.trimStart().startsWith('{') && text !== latest.open.text);
  }

  #latestAt(index: number): RoutedCall | undefined {
    return this.#calls.findLast((call) => call.index === index);
  }
}

/** Whether the pieces so far make one whole JSON object. Looks at each character once. */
class ObjectShape {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #opened = false;

  get isWhole(): boolean {
    return this.#opened && this.#depth === 0;
  }

  feed(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (code === 0x5c) this.#escaped = true;
        else if (code === 0x22) this.#inString = false;
      } else if (code === 0x22) this.#inString = true;
      else if (code === 0x7b || code === 0x5b) {
        this.#depth++;
        this.#opened = true;
      } else if (code === 0x7d || code === 0x5d) this.#depth--;
    }
  }
}
