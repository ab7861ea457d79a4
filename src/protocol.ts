/** The wire between page and worker: types only. Everything here is structured-cloneable data. */
import type { QueueMode, QueueName, ThinkingLevel, ToolExecutionMode } from './loop/types';
import type {
  BlobHash,
  HookRule,
  Problem,
  RequestOptions,
  SessionInfo,
  TokenPrices,
  TraceRecord,
} from './records/types';
import type { Scenario, ScriptedTurn } from './scenario/types';

/** An OpenAI-compatible endpoint as the person typed it. The key never travels in it. */
export interface Endpoint {
  baseUrl: string;
  model: string;
  api: 'openai-chat' | 'openai-responses';
  /** Absent: the run shows no cost. */
  prices?: TokenPrices;
  /** False: the model takes no images, and requests say in words where one was. */
  images?: boolean;
}

/** The person is the model: each request waits in the page until it is answered. Its time is virtual. */
export type ManualModel = 'manual';

/** What a person answers as the model. Without a speed (`chunk` characters every `gapMs`) it comes at once. */
export type ManualAnswer = Pick<ScriptedTurn, 'blocks' | 'stopReason' | 'errorMessage' | 'chunk' | 'gapMs'>;

/** How a session begins. */
export type SessionSetup =
  /** `endpoint`: of a scenario whose model is live, which is refused without one. */
  | { kind: 'scenario'; scenario: Scenario; scenarioId?: string; title?: string; endpoint?: Endpoint }
  | {
      kind: 'live';
      endpoint: Endpoint | ManualModel;
      systemPrompt?: string;
      tools?: string[];
      thinkingLevel?: ThinkingLevel;
      options?: RequestOptions;
      requestLimit?: number;
      title?: string;
    };

/** Bytes that are UTF-8 become text. */
export interface FileToWrite {
  path: string;
  content: string | Uint8Array;
}

/** Why a file was not written: `files.tooBig`, `files.sessionFull`, `files.exists`, `files.badName` and others. */
export interface FileProblem {
  /** As it was given. */
  path: string;
  problem: Problem;
}

/** Every command is answered by one `reply` with the same `id`. `session` must be the open one. */
export type Command = { id: number } &
  /** Reply: Opened. Closes the session before it. */
  (
    | { type: 'create'; setup: SessionSetup }
    /** Nobody waits for the reply of that command any more: what it asks an endpoint for is ended (`model.aborted`). */
    | { type: 'cancel'; command: number }
    | { type: 'open'; session: string }
    /** The text of a session file, which is read in the worker. Its endpoint is asked nothing: `endpoint.unconfirmed`. */
    | { type: 'importSession'; file: Blob }
    /** Reply: SessionInfo[], the last used first: for when there is no database to read. */
    | { type: 'listSessions' }
    /** These three are refused with `session.inUse` while another tab writes the session. */
    /** Nobody else may write it until it is released or deleted. */
    | { type: 'claimSession'; session: string }
    | { type: 'deleteSession'; session: string }
    | { type: 'renameSession'; session: string; title: string }
    | { type: 'releaseSession'; session: string }
    /** Starts the scenario, or goes on after a pause. */
    | { type: 'play'; session: string }
    /**
     * As `play`, up to the next step of the loop that is recorded, where it is held as by `pause`. While one is under
     * way: the rest of it at once.
     */
    | { type: 'step'; session: string }
    | { type: 'pause'; session: string }
    /** How fast virtual time goes against real time; `Infinity` for as fast as it can. */
    | { type: 'speed'; session: string; speed: number }
    | { type: 'prompt'; session: string; text: string }
    /** Takes the transcript from this prompt on away (a `rewind` record) and starts a run with the text in its place. */
    | { type: 'editPrompt'; session: string; message: string; text: string }
    | { type: 'steer'; session: string; text: string }
    | { type: 'followUp'; session: string; text: string }
    /** `run` guards against aborting a later run. Reply: false when that run is over already. */
    | { type: 'abort'; session: string; run: string }
    | { type: 'continue'; session: string }
    /** Drops the failed or aborted tail (a `rewind` record) and continues. */
    | { type: 'retry'; session: string }
    | { type: 'removeQueued'; session: string; item: string }
    | { type: 'editQueued'; session: string; item: string; text: string }
    | { type: 'moveQueued'; session: string; item: string; queue: QueueName; index?: number }
    | { type: 'clearQueue'; session: string; queue: QueueName }
    | {
        type: 'configure';
        session: string;
        /** From the next run on. Of an imported session, it is what may be asked from then on. */
        endpoint?: Endpoint | ManualModel;
        /** A change behind the first message becomes a system message in the transcript. */
        systemPrompt?: string;
        thinkingLevel?: ThinkingLevel;
        tools?: string[];
        steeringMode?: QueueMode;
        followUpMode?: QueueMode;
        toolExecution?: ToolExecutionMode;
        /** Requests that a run may make; 0 takes the limit away. */
        requestLimit?: number;
        /** All of them, in place of those before. */
        options?: RequestOptions;
      }
    /** Answers the request whose answer will be `message`. Refused with `ask.over` when it waits no more. */
    | { type: 'answerAsModel'; session: string; message: string; answer: ManualAnswer }
    /** Reply: RequestBody, of the request whose answer is `message`. Also of a session that another tab writes. */
    | { type: 'requestBody'; session: string; message: string }
    /** All rules of the session, in place of those before. A run that goes on follows them from its next hook on. */
    | { type: 'setRules'; session: string; rules: HookRule[] }
    /** `always`: also later fetches of the same kind to the same origin, as long as the session is open. */
    | { type: 'permission'; session: string; ask: string; allow: boolean; always?: boolean }
    | { type: 'answer'; session: string; ask: string; text: string }
    /** Without `replace` an existing file is refused: `files.exists`. Paths are absolute, or start at `/project`. */
    | ({ type: 'writeFile'; session: string; replace?: boolean } & FileToWrite)
    /** All or nothing. Reply: FileProblem[], empty when they are written. */
    | { type: 'writeFiles'; session: string; files: FileToWrite[]; replace?: boolean }
    /** A file, or a folder with everything in it; the target must not exist. */
    | { type: 'renameFile'; session: string; from: string; to: string }
    | { type: 'deleteFile'; session: string; path: string }
    /** A key for an exact origin, kept in the worker's memory only; `undefined` forgets it. Not tied to a session. */
    | { type: 'setKey'; origin: string; key?: string }
    /** Reply: FoundModels. */
    | { type: 'listModels'; baseUrl: string }
    /** Reply: ConnectionTest. Asks as a session would, with the key of its origin; without a model only for the list. */
    | { type: 'testConnection'; endpoint: Endpoint; thinkingLevel?: ThinkingLevel; options?: RequestOptions }
    /** Reply: Uint8Array, or undefined when it is gone. */
    | { type: 'blob'; session: string; hash: BlobHash }
    /** Reply: TraceRecord[] of the open session, for when there is no database to read. */
    | { type: 'records'; session: string }
  );

/** What `create` and `open` reply. */
export interface Opened {
  info: SessionInfo;
  /** Records up to here are stored (or kept in memory); later ones come as `records` messages. */
  seq: number;
  /** Another tab writes it: commands that change it are refused with `session.readOnly`. */
  readOnly: boolean;
  /** False: no database; records live in the worker's memory and are read with the `records` command. */
  stored: boolean;
  clock: ClockState;
  /** What of it could not be read: `session.damaged`. What comes before the damage is there, and can be gone on with. */
  problem?: Problem;
}

/** The HTTP request of a model request, derived anew: what is sent is a pure function of the records. */
export interface RequestBody {
  method: 'POST';
  url: string;
  /** Without secrets: of a key only that it is sent. */
  headers: Record<string, string>;
  /** JSON data, as it goes out. Fields of the person's own whose names look like secrets are blanked. */
  body: unknown;
  /** Where the transcript was mended so that servers take it; the transcript itself is untouched. */
  repairs: RequestRepair[];
}
export interface RequestRepair {
  /** Key of a text in the catalogue. */
  code: string;
  params?: Record<string, string | number>;
  /** The message that it is about, when there is one. */
  message?: string;
}

/** The ids of the models behind an address, and the base URL that they were found at: it may end with a `/v1` that was left out. */
export interface FoundModels {
  baseUrl: string;
  models: string[];
}

/** What a test of an endpoint found. Without a problem the model answered. */
export interface ConnectionTest {
  /** The first thing that is wrong: refused, CORS, key, no such model, no model server and others. */
  problem?: Problem;
  /** What the endpoint offers, as far as it says so. */
  models: string[];
  /** Where it answered, when that is not the address as it was given. */
  baseUrl?: string;
  /** ms that the answer took. */
  durationMs: number;
}

export interface ClockState {
  /** Scenario time: it can be paused and hurried. */
  virtual: boolean;
  playing: boolean;
  speed: number;
  /** ms since the session was created. */
  at: number;
  /** Virtual time stands still though it plays: something real is at work, or a person writes an answer. */
  still: boolean;
  /** Nothing is due in virtual time: it passes as real time does, whatever the speed. */
  resting: boolean;
  /** The scenario's own prompts and actions have not begun yet. */
  ready: boolean;
  /** A run is over, and the scenario goes on by itself in a moment. */
  goesOn: boolean;
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'reply'; id: number; value?: unknown; problem?: Problem }
  /** New records of the open session, in order, without a gap. */
  | { type: 'records'; session: string; records: TraceRecord[] }
  | { type: 'clock'; session: string; clock: ClockState }
  /**
   * The open session was opened anew: it was read-only, and the tab that wrote it is gone. The page reads its records
   * again, as after `open`.
   */
  | { type: 'opened'; opened: Opened }
  /** The database as a whole: `storage.blocked`, `storage.none`, `storage.newer`; or (`undefined`) all is well again. */
  | { type: 'database'; problem?: Problem }
  /** Saving stopped (`problem`) or works again. The run goes on in memory. */
  | { type: 'storage'; session: string; problem?: Problem }
  /** The list of sessions changed. */
  | { type: 'sessions' }
  /** Something in the worker broke that belongs to no command. */
  | { type: 'failure'; problem: Problem };
