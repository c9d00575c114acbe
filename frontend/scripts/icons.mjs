/*
 * Draws the shop's icons of its mark (src/app/brand-mark.svg) into public/: favicon.ico, and the pictures that the web manifest
 * names. Run by hand when the mark changes; what it writes is checked in.
 *
 *   CHROMIUM=/usr/bin/chromium node scripts/icons.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = readFileSync(`${root}src/app/brand-mark.svg`, 'utf8');
const GROUND = '#0e1012';

const browser = await chromium.launch(
  process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {},
);

/** The mark as a PNG. A system that cuts icons to a shape of its own leaves four fifths of them. */
async function png(size, maskable = false) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const width = maskable ? '70%' : '100%';
  const ground = maskable ? GROUND : 'transparent';
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${ground}"><img width="${width}" src="data:image/svg+xml,${encodeURIComponent(mark)}">`,
    { waitUntil: 'load' },
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** An .ico file of PNGs: six bytes, sixteen for each picture, and the pictures. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [nth, { size, data }] of pictures.entries()) {
    const at = 6 + 16 * nth;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(data.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += data.length;
  }
  return Buffer.concat([head, ...pictures.map(({ data }) => data)]);
}

const small = [];
for (const size of [16, 32, 48]) small.push({ size, data: await png(size) });
writeFileSync(`${root}public/favicon.ico`, ico(small));
writeFileSync(`${root}public/icon-192.png`, await png(192));
writeFileSync(`${root}public/icon-512.png`, await png(512));
writeFileSync(`${root}public/icon-maskable-512.png`, await png(512, true));
await browser.close();
