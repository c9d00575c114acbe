/*
 * Makes the pages that the shop sends (dist/pages) of the client that webpack has just built: each public screen's markup,
 * the styles that this markup uses, and hints for what the screen loads next. The manifest says to the server what the
 * policy of each page has to allow, which answers to send along, and which addresses it is for.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { usedStyles } from './used-styles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { pages, render } = createRequire(import.meta.url)(`${root}.build/prerender/prerender.cjs`);
const template = readFileSync(`${root}.build/template.html`, 'utf8');
const chunks = JSON.parse(readFileSync(`${root}.build/chunks.json`, 'utf8'));
const folder = `${root}dist/pages`;

const SHEET = /<link rel="stylesheet" href="(\/[^"]+)">/;
const CLIENT = /<script defer="defer" src="(\/assets\/main-[^"]+)"><\/script>/;
const BOOT = /<script src="(\/assets\/boot-[^"]+)"><\/script>/;
const TITLE = /<title>[^<]*<\/title>/;
const DESCRIPTION = /(<meta name="description" content=")[^"]*(">)/;
const HOLE = '<div id="root"></div>';
/** What the server writes can be read without any script. */
const NEEDS_SCRIPTS = /<noscript><p .*?<\/noscript>/;
/** Where the server writes into a page that is written by it: the head's part of it, and the content. */
const WRITTEN = { head: '<!--head-->', content: '<!--content-->' };
/** What it writes, with all that may be in it: the styles have to be there for each of it. */
const templates = fileURLToPath(new URL('../../crates/adapters/http/templates', import.meta.url));
const whatever = readdirSync(templates)
  .filter((name) => name.endsWith('.html') && name !== 'head.html')
  .map((name) => readFileSync(`${templates}/${name}`, 'utf8'))
  .join('');
/** What React would have put into a head of its own stands at the markup's beginning. */
const HOISTED = /^(?:<link rel="preload"[^>]*>)*/;

const escaped = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Replaces exactly one place; a template that has it not, or twice, is not the one that this was written for. */
function put(html, place, replacement) {
  const parts = html.split(
    place instanceof RegExp ? new RegExp(place.source.replace(/\((?!\?)/g, '(?:')) : place,
  );
  if (parts.length !== 2) throw new Error(`the template has ${parts.length - 1} of ${place}`);
  return html.replace(place, () => replacement);
}

/** As a policy names what it allows (CSP 3, section 2.3.1). */
const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const sheet = SHEET.exec(template)?.[1];
if (!sheet) throw new Error('the template names no stylesheet');
const client = CLIENT.exec(template)?.[1];
if (!client) throw new Error('the template names no client');
const boot = BOOT.exec(template)?.[1];
if (!boot) throw new Error('the template names no boot script');
/** What has to run before the first paint stands in the page itself: asking for it would hold that paint up. */
const first = readFileSync(`${root}dist${boot}`, 'utf8');
if (/<\/script|<!--/i.test(first)) throw new Error('the boot script cannot stand in a page');
const css = readFileSync(`${root}dist${sheet}`, 'utf8');

async function make(page) {
  const { markup, title } = await render(page);
  const [hoisted] = HOISTED.exec(markup);
  const screen = chunks[page.chunk]
    .filter((file) => file.endsWith('.js'))
    .map((file) => `/${file}`);
  const named = title ? `<title>${escaped(title)}</title>` : TITLE.exec(template)[0];
  let html = put(template, TITLE, named + hoisted);
  if (page.description) {
    html = put(
      html,
      DESCRIPTION,
      `<meta name="description" content="${escaped(page.description)}">`,
    );
  }
  if (page.written) {
    html = put(html, DESCRIPTION, '');
    html = put(html, NEEDS_SCRIPTS, '');
    html = put(html, named, WRITTEN.head);
  }
  html = put(html, HOLE, `<div id="root">${markup.slice(hoisted.length)}</div>`);
  // src/boot.ts loads them once the page is painted: before that they would only take the line from what is seen first.
  html = put(
    html,
    CLIENT,
    `<meta name="client" content="${client}">` +
      `<meta name="${page.guarded ? 'guarded-screen' : 'screen'}" content="${screen.join(' ')}">`,
  );
  html = put(html, BOOT, `<script>${first}</script>`);
  const drawn = page.written ? put(html, WRITTEN.content, whatever) : html;
  const style = usedStyles(drawn, css);
  html = put(
    html,
    SHEET,
    `<style>${style}</style><meta name="styles" content="${sheet}">` +
      `<noscript><link rel="stylesheet" href="${sheet}"></noscript>`,
  );
  writeFileSync(`${folder}/${page.name}.html`, html);
  const { answers, screens } = page;
  return [page.name, { style: digest(style), script: digest(first), answers, screens }];
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const made = await Promise.all(pages.map(make));
writeFileSync(`${folder}/manifest.json`, JSON.stringify(Object.fromEntries(made), null, 2));
