/** How the parts of the page get at bytes that records name by their hash. */
import { createContext } from 'svelte';
import type { BlobHash } from '../records/types';

/** The bytes of a hash; `undefined` when they are gone. */
export type ReadBlob = (hash: BlobHash) => Promise<Uint8Array | undefined>;

export const [getReadBlob, setReadBlob] = createContext<ReadBlob>();
