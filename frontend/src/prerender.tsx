/*
 * Renders the pages that the shop sends before any script has run. Built for Node beside the client, and run by
 * scripts/prerender.mjs; it is no part of what browsers load.
 */
import { text } from 'node:stream/consumers';
import { prerenderToNodeStream } from 'react-dom/static.node';
import { StaticRouter } from 'react-router-dom';
import { Root } from './app/root';
import { isInDashboard, type Screen, type ScreenName, screenNames, screens } from './app/screens';
import { createStore } from './app/store';
import { TitleSink } from './lib/use-page-title';

/** A document that the server sends. */
interface Page {
  /** What the server calls it. */
  name: string;
  /** An address that shows it; the markup must be the same for all that do. */
  at: string;
  /** The chunk that draws it, fetched along with the page. */
  chunk: string;
  /** Only for who has signed in: a visitor is led to Login and never needs the chunk. */
  guarded: boolean;
  /** For search results. */
  description?: string;
  /** The calls that its first screen makes, `:id` being what ends its address: the server sends their answers along. */
  answers: readonly string[];
  /** The screens whose addresses it answers. */
  screens: readonly ListedScreen[];
  /** The server writes its content and its title. */
  written?: true;
}

/** A screen as the server learns of it. */
interface ListedScreen {
  path: string;
  secret: boolean;
}

function listed(screen: Screen): ListedScreen {
  const { path, secret = false } = screen;
  return { path, secret };
}

/** What the table of screens leaves out, since no browser needs it. Most screens make no call at first. */
const extras: Partial<
  Record<ScreenName, Partial<Pick<Page, 'answers' | 'description' | 'at' | 'chunk'>>>
> = {
  home: { answers: ['/products?limit=4', '/reviews?limit=3'] },
  shop: {
    description:
      'Vehicle parts in bulk with live prices and stock. Search by name, category or part number.',
    answers: ['/products?limit=12'],
  },
  about: {
    description:
      'How Driveline works: parts in bulk, real-time stock, prices locked in when you order. Reliable parts since 1992.',
  },
  contact: {
    chunk: 'legal',
    description:
      '24/7 customer support: how to reach Driveline about a part, an order or a return.',
  },
  shipping: {
    chunk: 'legal',
    description:
      'Free delivery for orders over $140. When orders ship, and how long your units are reserved.',
  },
  'return-policy': {
    chunk: 'legal',
    description:
      'Money back guarantee within 30 days: how to send parts back and how you get your money.',
  },
  terms: {
    chunk: 'legal',
    description: 'Minimum order, prices, payment, cancellations, delivery and returns.',
  },
  privacy: {
    chunk: 'legal',
    description: 'What Driveline collects, why, who else sees it, and the cookies it sets.',
  },
  unsubscribe: { chunk: 'legal' },
  // Who is asking is not known yet, so this is a frame and a spinner.
  product: { at: '/product/any', answers: ['/products/:id'] },
};

/** The page of a screen that stands outside the dashboard. */
function pageOf(name: ScreenName): Page {
  const screen = screens[name];
  const page = {
    name,
    at: screen.path,
    chunk: name,
    guarded: screen.access !== 'public',
    answers: [],
    screens: [listed(screen)],
    ...extras[name],
  };
  if (page.at.includes(':')) {
    throw new Error(`the screen ${name} needs an address that shows it: its \`at\``);
  }
  return page;
}

/** One page for each screen outside the dashboard, one frame for all of the dashboard, one for the rest, and one into which the server writes. */
export const pages: readonly Page[] = [
  ...screenNames.filter((name) => !isInDashboard(screens[name])).map(pageOf),
  {
    name: 'dashboard',
    at: '/dashboard',
    chunk: 'dashboard',
    guarded: true,
    answers: [],
    screens: Object.values(screens).filter(isInDashboard).map(listed),
  },
  {
    name: 'not-found',
    at: '/nowhere',
    chunk: 'not-found',
    guarded: false,
    answers: [],
    screens: [],
  },
  {
    name: 'written',
    at: '/parts/any',
    chunk: 'not-found',
    guarded: false,
    answers: [],
    screens: [],
    written: true,
  },
];

/** A page's markup and its title. Fails if anything in it does. */
export async function render({ at }: Page): Promise<{ markup: string; title: string | null }> {
  let title: string | null = null;
  const { prelude } = await prerenderToNodeStream(
    <StaticRouter location={at}>
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
