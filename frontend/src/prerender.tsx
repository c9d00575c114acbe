/*
 * Renders the pages that the shop sends before any script has run. Built for Node beside the client, and run by
 * scripts/prerender.mjs; it is no part of what browsers load.
 */
import { text } from 'node:stream/consumers';
import { prerenderToNodeStream } from 'react-dom/static.node';
import { StaticRouter } from 'react-router-dom';
import { Root } from './app/root';
import {
  type Access,
  accessOf,
  isInDashboard,
  type Screen,
  type ScreenName,
  screenNames,
  screens,
} from './app/screens';
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
}

/** A screen as the server learns of it. */
interface ListedScreen {
  path: string;
  access: Access;
  /** Whether the page shows this very screen, and not a frame that the client fills. */
  prerendered: boolean;
  secret: boolean;
}

function listed(screen: Screen, prerendered: boolean): ListedScreen {
  const { path, secret = false } = screen;
  return { path, access: accessOf(screen), prerendered, secret };
}

/** What the table of screens leaves out, since no browser needs it: which are rendered ahead of time, and with what. */
const early: Partial<Record<ScreenName, Pick<Page, 'answers' | 'description'> & { at?: string }>> =
  {
    home: { answers: ['/products?limit=4', '/reviews?limit=3'] },
    shop: {
      description:
        'Every part that Driveline has on its shelves, with prices and quantities of this minute: search by name, category or part number.',
      answers: ['/products?limit=12'],
    },
    about: {
      description:
        'How Driveline trades: parts by the fifty, quantities that are true, prices that hold. Reliable parts since 1992.',
      answers: [],
    },
    login: { answers: [] },
    signup: { answers: [] },
    'forgot-password': { answers: [] },
    'reset-password': { answers: [] },
    'verify-email': { answers: [] },
    // Who is asking is not known yet, so this is a frame and a spinner.
    product: { at: '/product/any', answers: ['/products/:id'] },
  };

// The server answers for no address that has no page.
for (const name of screenNames) {
  if (!isInDashboard(screens[name]) && !early[name]) {
    throw new Error(
      `the screen ${name} has no page of its own, and no frame that it could stand in`,
    );
  }
}

/** One page for each screen that is rendered ahead of time, one frame for all of the dashboard, and one for the rest. */
export const pages: readonly Page[] = [
  ...screenNames.flatMap((name) => {
    const screen = screens[name];
    const page = early[name];
    if (!page) return [];
    const guarded = screen.access !== 'public';
    const own = { name, at: screen.path, chunk: name, guarded };
    return [{ ...own, ...page, screens: [listed(screen, !guarded)] }];
  }),
  {
    name: 'dashboard',
    at: '/dashboard',
    chunk: 'dashboard',
    guarded: true,
    answers: [],
    screens: Object.values(screens)
      .filter(isInDashboard)
      .map((screen) => listed(screen, false)),
  },
  {
    name: 'not-found',
    at: '/nowhere',
    chunk: 'not-found',
    guarded: false,
    answers: [],
    screens: [],
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
