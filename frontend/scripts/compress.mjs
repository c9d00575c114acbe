/* Lays every text of dist/assets down in dist/packed, compressed as well as it goes: the server sends these as they are. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../dist/assets/', import.meta.url));
const packed = fileURLToPath(new URL('../dist/packed/assets/', import.meta.url));

rmSync(packed, { recursive: true, force: true });
mkdirSync(packed, { recursive: true });

for (const file of readdirSync(folder)) {
  if (!/\.(?:js|css|svg)$/.test(file)) continue;
  const content = readFileSync(folder + file);
  writeFileSync(`${packed}${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(
    `${packed}${file}.br`,
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  );
}
