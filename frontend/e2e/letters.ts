import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** Where the demo puts the letters that it would send; undefined for a shop that is somebody else's. */
const data = process.env.SHOP_DATA_DIR ?? process.env.E2E_FOLDER?.concat('/data');
export const mailFolder = data === undefined ? undefined : join(data, 'mail');

/** A letter's plain text (RFC 2045, section 6.7; RFC 2046, section 5.1.4). */
function plainText(letter: string): string {
  const part = letter.split('\r\n--').find((one) => one.includes('Content-Type: text/plain')) ?? '';
  const [head = '', ...body] = part.split('\r\n').slice(1).join('\r\n').split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  if (!head.includes('Content-Transfer-Encoding: quoted-printable')) return text;
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function lettersTo(email: string): string[] {
  const folder = mailFolder ?? '';
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((letter) => {
      const head = letter.split('\r\n\r\n')[0] ?? '';
      return head
        .split('\r\n')
        .some((line) => line.startsWith('To:') && line.includes(`<${email}>`));
    })
    .map(plainText);
}

/** The link to one of the shop's pages in the newest letter that has one, once it has come. */
export async function linkFor(email: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      () => {
        const lines = lettersTo(email).flatMap((text) => text.split(/\r?\n/));
        link = lines.findLast((line) => line.includes(`${page}?token=`));
        return link;
      },
      { message: `a letter to ${email} that leads to ${page}`, timeout: 20_000 },
    )
    .toBeDefined();
  return (link ?? '').trim();
}
