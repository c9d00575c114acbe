import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime from 'postal-mime';

/** Where the demo puts the letters that it would send. */
function mailFolder(): string {
  const data = process.env.SHOP_DATA_DIR ?? process.env.E2E_FOLDER?.concat('/data');
  if (data === undefined) throw new Error('SHOP_DATA_DIR has to say where the shop keeps its data');
  return join(data, 'mail');
}

/** The link to one of the shop's pages in the newest letter to somebody that has one. */
async function newestLink(email: string, page: string): Promise<string | undefined> {
  const folder = mailFolder();
  const letters = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
  // They are numbered as they were asked for.
  letters.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10));
  for (const name of letters) {
    const { to = [], text = '' } = await PostalMime.parse(await readFile(join(folder, name)));
    const link = text.split('\n').find((line) => line.includes(`${page}#token=`));
    if (link && to.some(({ address }) => address === email)) return link;
  }
  return undefined;
}

/** The link to one of the shop's pages in the newest letter to somebody that has one, once it has come. */
export async function linkFor(email: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        link = await newestLink(email, page);
        return link;
      },
      { message: `a letter to ${email} that leads to ${page}`, timeout: 20_000 },
    )
    .toBeDefined();
  return link ?? '';
}
