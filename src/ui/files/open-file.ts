/** Brings a file into sight, from wherever it is named. */
import { createContext } from 'svelte';

export const [getOpenFile, setOpenFile] = createContext<(path: string) => void>();
