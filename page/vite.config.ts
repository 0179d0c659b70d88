// Builds the page as one script and one style; build/single.mjs puts both into one file.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist', target: 'es2022', cssCodeSplit: false, modulePreload: false, reportCompressedSize: false,
    assetsInlineLimit: 1e8, chunkSizeWarningLimit: 4096,
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'page.js', assetFileNames: 'page[extname]' } },
  },
  test: { testTimeout: 120000, hookTimeout: 60000 },
} as Parameters<typeof defineConfig>[0]);
