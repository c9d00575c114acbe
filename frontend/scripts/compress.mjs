/* Lays every text of dist/assets down compressed as well as it goes, beside itself: the server sends these as they are. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../dist/assets/', import.meta.url));

for (const file of readdirSync(folder)) {
  if (!/\.(?:js|css|svg)$/.test(file)) continue;
  const content = readFileSync(folder + file);
  writeFileSync(`${folder}${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(
    `${folder}${file}.br`,
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  );
}
