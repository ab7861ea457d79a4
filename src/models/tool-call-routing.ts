import type { MessageBuilder, OpenCall } from './assistant-message';

/** One entry of a chunk's tool calls, whatever was wrong with it taken away. */
export interface CallPiece {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  text: string;
  /** It stood behind another in one list without index or id: it can only be a call of its own. */
  isAnother: boolean;
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
    if (piece.name !== undefined) this.#name(call, piece.name);
    if (piece.text === '') return;
    call.shape.feed(piece.text);
    this.#builder.callArguments(call.open, piece.text);
  }

  /** A name that comes again, whole or longer, is the same name; another one before any arguments is its next piece. */
  #name({ open }: RoutedCall, name: string): void {
    const known = open.block.name;
    if (name === known) return;
    if (name.startsWith(known)) this.#builder.nameCall(open, name);
    else if (open.text === '') this.#builder.nameCall(open, known + name);
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
    if (piece.isAnother) return undefined;
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
    const latest = this.#latest(piece);
    if (!latest) return undefined;
    // An id that comes late belongs to the call that has none; a new id without a name to the call that is open.
    if (latest.id === undefined) return this.#isNext(latest, piece) ? undefined : latest;
    return piece.name === undefined ? latest : undefined;
  }

  #findWithoutId(piece: CallPiece): RoutedCall | undefined {
    const latest = this.#latest(piece);
    return latest && !this.#isNext(latest, piece) ? latest : undefined;
  }

  /** A name after whole arguments starts a new call, unless it only repeats what is there. */
  #isNext(latest: RoutedCall, { id, index, name, text }: CallPiece): boolean {
    if (name === undefined) return false;
    const { block } = latest.open;
    if (block.name === '') return false;
    const isSame = id === undefined ? index !== undefined && index === latest.index : id === latest.id;
    if (!latest.shape.isWhole) return latest.open.text === '' && !name.startsWith(block.name) && !isSame;
    return name !== block.name || (text.trimStart().startsWith('{') && text !== latest.open.text);
  }

  /** The call at the piece's index. Under an index that is new, a piece without a name goes on with the call that is open. */
  #latest({ index, name }: CallPiece): RoutedCall | undefined {
    const last = this.#calls.at(-1);
    if (index === undefined) return last;
    const latest = this.#calls.findLast((call) => call.index === index);
    if (latest || name !== undefined) return latest;
    return last && last.open.block.name !== '' && !last.shape.isWhole ? last : undefined;
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
