import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { compiledFolder, messagesAreStale } from './scripts/messages.mjs';

// `vite build --mode pseudo` speaks the pseudo-locale too, and goes to a folder of its own.
const isPseudo = (mode: string) => mode === 'pseudo';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self' blob:",
  // People type the endpoints of their models, so any origin must do.
  'connect-src http: https:',
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // Svelte's templates, the sanitizer of Markdown, and ours (the worker's URL).
  'trusted-types svelte-trusted-html dompurify epicycle',
].join('; ');

/** Puts the policy into the built page. The dev server injects scripts that it would refuse. */
const policyInPage: Plugin = {
  name: 'epicycle:content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
      injectTo: 'head-prepend',
    },
  ],
};

/** Compiles the message catalogues when they changed. */
function messages(pseudo: boolean): Plugin {
  // In a process of its own: the compiler's library would keep this one alive.
  const compile = () => {
    const script = fileURLToPath(new URL('scripts/messages.mjs', import.meta.url));
    const args = pseudo ? [script, '--pseudo'] : [script];
    if (messagesAreStale(pseudo))
      execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  };
  return {
    name: 'epicycle:messages',
    buildStart: compile,
    resolveId: {
      order: 'pre',
      handler(id, importer) {
        if (pseudo && id.startsWith('./compiled/') && /\/src\/i18n\/\w+\.ts$/.test(importer ?? ''))
          return `${compiledFolder(true)}/${id.slice('./compiled/'.length)}.js`;
      },
    },
    configureServer(server) {
      server.watcher.add('src/i18n/messages/*.json');
      server.watcher.on('change', (path) => {
        if (path.includes('/src/i18n/messages/')) compile();
      });
    },
  };
}

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [messages(isPseudo(mode)), svelte(), policyInPage],
  // The shell asks Node for it.
  resolve: {
    alias: { 'node:zlib': fileURLToPath(new URL('src/worker/tool-runner/zlib.ts', import.meta.url)) },
  },
  // Made into one file, it would no longer find its WebAssembly beside it.
  optimizeDeps: { exclude: ['@jitl/quickjs-wasmfile-release-sync'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: true,
    outDir: isPseudo(mode) ? '.cache/pseudo/dist' : 'dist',
    emptyOutDir: true,
  },
  server: { port: 5173, strictPort: true },
  preview: { host: '127.0.0.1', port: 4831, strictPort: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          setupFiles: ['src/random-seed.testing.ts'],
          // What takes a second here may take twenty on a machine with other work.
          testTimeout: 60_000,
        },
      },
    ],
  },
}));
