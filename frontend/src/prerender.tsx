/*
 * Renders the pages that the shop sends before any script has run. Built for Node beside the client, and run by
 * scripts/prerender.mjs; it is no part of what browsers load.
 */
import { text } from 'node:stream/consumers';
import { prerenderToNodeStream } from 'react-dom/static.node';
import { StaticRouter } from 'react-router-dom';
import { Root } from './app/root';
import { createStore } from './app/store';
import { TitleSink } from './lib/use-page-title';

interface Page {
  /** What the server calls it. */
  name: string;
  /** An address that shows it; the markup must be the same for all that do. */
  path: string;
  /** The chunk that draws it (app/routes.tsx), fetched along with the page. */
  chunk?: string;
  /** Only for who has signed in: a visitor is led to Login and never needs the chunk. */
  guarded?: true;
  /** For search results. */
  description?: string;
  /** The calls that its first screen makes, `:id` being what ends its address: the server sends their answers along. */
  answers: string[];
}

export const pages: readonly Page[] = [
  { name: 'home', path: '/', chunk: 'home', answers: ['/products?limit=4', '/reviews?limit=3'] },
  {
    name: 'shop',
    path: '/shop',
    chunk: 'shop',
    description:
      'Every part that Driveline has on its shelves, with prices and quantities of this minute: search by name, category or part number.',
    answers: ['/products?limit=12'],
  },
  {
    name: 'about',
    path: '/about',
    chunk: 'about',
    description:
      'How Driveline trades: parts by the fifty, quantities that are true, prices that hold. Reliable parts since 1992.',
    answers: [],
  },
  { name: 'login', path: '/login', chunk: 'login', answers: [] },
  { name: 'signup', path: '/signup', chunk: 'signup', answers: [] },
  { name: 'forgot-password', path: '/forgot-password', chunk: 'forgot-password', answers: [] },
  { name: 'reset-password', path: '/reset-password', chunk: 'reset-password', answers: [] },
  { name: 'verify-email', path: '/verify-email', chunk: 'verify-email', answers: [] },
  // Who is asking is not known yet, so these two are a frame and a spinner.
  {
    name: 'product',
    path: '/product/any',
    chunk: 'product',
    guarded: true,
    answers: ['/products/:id'],
  },
  { name: 'dashboard', path: '/dashboard', chunk: 'dashboard', guarded: true, answers: [] },
  { name: 'not-found', path: '/nowhere', chunk: 'not-found', answers: [] },
];

/** A page's markup and its title. Fails if anything in it does. */
export async function render({ path }: Page): Promise<{ markup: string; title: string | null }> {
  let title: string | null = null;
  const { prelude } = await prerenderToNodeStream(
    <StaticRouter location={path}>
      <TitleSink value={(said) => (title = said)}>
        <Root store={createStore()} />
      </TitleSink>
    </StaticRouter>,
    {
      // In one piece: React moves long parts to the end, with inline scripts that put them back.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onError(error) {
        throw error;
      },
    },
  );
  return { markup: await text(prelude), title };
}
