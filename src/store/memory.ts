/** A store without a database: everything is gone with the page or worker that made it. */
import type { BlobHash, Problem, SessionInfo, TraceRecord } from '../records/types';
import { cloneable } from './cloneable';
import { byLastUse } from './sessions';
import type { Store } from './index';

interface MemorySession {
  info: SessionInfo;
  records: TraceRecord[];
  blobs: Map<BlobHash, Uint8Array>;
}

/** `reason`: why nothing is saved. */
export function memoryStore(reason?: Problem): Store {
  const sessions = new Map<string, MemorySession>();
  const settings = new Map<string, unknown>();
  const done = Promise.resolve();
  return {
    stored: false,
    ...(reason ? { problem: reason } : {}),
    listSessions: () =>
      Promise.resolve(
        [...sessions.values()].map(({ info: { scenario: _, ...info } }) => info).sort(byLastUse),
      ),
    readSession: (id) => Promise.resolve(sessions.get(id)?.info),
    updateSession: (id, change) => {
      const session = sessions.get(id);
      if (session) session.info = { ...session.info, ...change };
      return done;
    },
    commit: ({ info, records, blobs = [] }) => {
      const session = sessions.get(info.id) ?? { info, records: [], blobs: new Map<BlobHash, Uint8Array>() };
      sessions.set(info.id, session);
      session.info = { ...('scenario' in session.info ? { scenario: session.info.scenario } : {}), ...info };
      if (records[0]) session.records.splice(records[0].seq - 1, Infinity, ...records);
      for (const [hash, bytes] of blobs) session.blobs.set(hash, bytes);
      return done;
    },
    readRecords: (id, after = 0) =>
      Promise.resolve({ records: sessions.get(id)?.records.slice(after) ?? [] }),
    setAside: (id, firstSeq) => {
      sessions.get(id)?.records.splice(firstSeq - 1);
      return done;
    },
    deleteSession: (id) => {
      sessions.delete(id);
      return done;
    },
    readBlob: (hash) => {
      for (const { blobs } of sessions.values()) {
        const bytes = blobs.get(hash);
        if (bytes) return Promise.resolve(bytes);
      }
      return Promise.resolve(undefined);
    },
    readSetting: (key) => Promise.resolve(settings.get(key)),
    writeSetting: (key, value) => {
      if (value === undefined) settings.delete(key);
      else settings.set(key, cloneable(value));
      return done;
    },
    close: () => done,
  };
}
