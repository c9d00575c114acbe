import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { Overview } from '@/api/types';
import { disc, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { anOverview, answerPayments, answerTop, daysOf, payments, shop, top } from './fixture';
import OverviewPage from './pages/overview-page';
import { linesFor, namedDays } from './scale';

const nothing: Partial<Overview> = {
  revenue: 0,
  paid: 0,
  returned: 0,
  orders: 0,
  states: { waiting: 0, unpaid: 0, paid: 0, shipped: 0 },
  lowStock: [],
  latestOrders: [],
};

function Address() {
  return <output aria-label="Address">{useLocation().search}</output>;
}
const show = (at = '/dashboard/overview') =>
  renderApp(
    <>
      <OverviewPage />
      <Address />
    </>,
    { user: customer, at },
  );

const chart = () => screen.getByRole('img', { name: /^Bar chart of revenue/ });

describe('Overview', () => {
  it('shows what came in and what waits, with the way to each', async () => {
    shop();
    show();
    expect(await screen.findByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    const figures = (await screen.findAllByRole('term')).map((name) => [
      name.textContent,
      name.nextElementSibling?.querySelector('strong')?.textContent,
      name.nextElementSibling?.querySelector('a')?.getAttribute('href'),
    ]);
    expect(figures).toEqual([
      ['Revenue', '$25,800.50', undefined],
      ['Orders', '5', '/dashboard/orders?from=2026-10-23'],
      ['Average order', '$5,160.10', undefined],
      ['Pending Approval', '3', '/dashboard/orders?state=waiting'],
      ['Not Paid yet', '1', '/dashboard/orders?state=unpaid'],
      ['Low stock', '1', '#low-stock'],
    ]);
  });

  it('says where the database keeps the search from forgiving typos, and nothing where it does not', async () => {
    shop({ searchForgivesSlips: false });
    const { unmount } = show();
    expect(await screen.findByRole('note')).toHaveTextContent('has no pg_trgm extension');
    unmount();
    shop();
    show();
    await screen.findAllByRole('term');
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('says that the search engine is not ready or late, and nothing while it is in step', async () => {
    const late = { ready: true, changes: 10_000, seconds: 300 };
    for (const [searchIndex, said] of [
      [{ ready: false, changes: 0, seconds: 0 }, "The search engine isn't ready"],
      [late, 'is 5 min behind: it lacks 10,000 or more changes'],
      [{ ...late, seconds: 60 }, null],
    ] as const) {
      shop({ searchIndex });
      const { unmount } = show();
      await screen.findAllByRole('term');
      if (said) expect(screen.getByRole('note')).toHaveTextContent(said);
      else expect(screen.queryByRole('note')).toBeNull();
      unmount();
    }
  });

  it('asks for thirty days, or for the period of the address, which the switch changes', async () => {
    const { requested } = shop();
    const user = userEvent.setup();
    show();
    await screen.findByRole('heading', { name: 'Revenue by day' });
    expect(requested).toEqual([60]);
    await user.click(screen.getByRole('button', { name: '7 days' }));
    await waitFor(() => expect(requested).toEqual([60, 14]));
    expect(screen.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('status', { name: 'Address' })).toHaveTextContent('?days=7');
    expect(await screen.findByText('paid in the last 7 days')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '30 days' }));
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Address' })).toHaveTextContent(/^$/),
    );
  });

  it('takes a period that it does not offer for the usual one', async () => {
    const { requested } = shop();
    show('/dashboard/overview?days=1000');
    await screen.findByRole('heading', { name: 'Revenue by day' });
    expect(requested).toEqual([60]);
  });

  it('compares the period with the one before, and with nothing if nothing was sold', async () => {
    const days = daysOf(14).map((day, place) =>
      place === 0 ? { ...day, orders: 4, revenue: 12900.25, paid: 12900.25 } : day,
    );
    shop({ days });
    show('/dashboard/overview?days=7');
    const changes = (await screen.findAllByText(/than the period before$/)).map(
      (one) => one.textContent,
    );
    expect(changes).toEqual([
      '100% more than the period before',
      '25% more than the period before',
      '60% more than the period before',
    ]);
  });

  it('says in words what the bars show', async () => {
    shop();
    show('/dashboard/overview?days=7');
    expect(await screen.findByRole('img', { name: /^Bar chart/ })).toHaveAccessibleName(
      'Bar chart of revenue for 7 days, Sun, Nov 15, 2026 to Sat, Nov 21, 2026: $25,800.50 in total. Best day: Fri, Nov 20, 2026 with $19,350.50.',
    );
    expect(chart().querySelectorAll('text')).toHaveLength(12);
  });

  it('reads out a day by arrow keys, beginning with today', async () => {
    shop();
    show('/dashboard/overview?days=7');
    const day = await screen.findByRole('slider', { name: 'Day' });
    expect(day).toHaveAttribute('aria-valuetext', 'Sat, Nov 21, 2026: $6,450.00 from 1 order');
    // jsdom moves no slider by key; the browser's own change is what the arrow makes.
    fireEvent.change(day, { target: { value: '5' } });
    expect(day).toHaveAttribute('aria-valuetext', 'Fri, Nov 20, 2026: $19,350.50 from 3 orders');
    expect(screen.getByText('$19,350.50', { selector: 'strong' })).toBeVisible();
  });

  it('reads out the day under the pointer', async () => {
    shop();
    show('/dashboard/overview?days=7');
    const day = await screen.findByRole('slider', { name: 'Day' });
    const area = day.parentElement as HTMLElement;
    area.getBoundingClientRect = () => ({ left: 100, width: 700 }) as DOMRect;
    fireEvent.pointerMove(area, { clientX: 655 });
    expect(day).toHaveValue('5');
    fireEvent.pointerMove(area, { clientX: 5_000 });
    expect(day).toHaveValue('6');
  });

  it('keeps to the days there are when a shorter period comes', async () => {
    shop();
    show('/dashboard/overview?days=90');
    const day = await screen.findByRole('slider', { name: 'Day' });
    fireEvent.change(day, { target: { value: '80' } });
    await userEvent.click(screen.getByRole('button', { name: '7 days' }));
    await waitFor(() => expect(day).toHaveAttribute('max', '6'));
    expect(day).toHaveAttribute('aria-valuetext', expect.stringContaining('Nov 21, 2026'));
  });

  it('shows the same as a table, newest day first', async () => {
    shop();
    const user = userEvent.setup();
    show('/dashboard/overview?days=7');
    const figure = within(
      (await screen.findByRole('heading', { name: 'Revenue by day' })).closest(
        'figure',
      ) as HTMLElement,
    );
    await user.click(figure.getByRole('button', { name: 'Table' }));
    expect(figure.queryByRole('img')).toBeNull();
    const rows = figure.getAllByRole('row').map((row) => row.textContent);
    expect(rows).toHaveLength(8);
    expect(rows.slice(0, 3)).toEqual([
      'DayOrdersPaidRefundedRevenue',
      'Sat, Nov 21, 20261$6,450.00$0.00$6,450.00',
      'Fri, Nov 20, 20263$19,350.50$0.00$19,350.50',
    ]);
    await user.click(figure.getByRole('button', { name: 'Chart' }));
    expect(chart()).toBeVisible();
  });

  it('shows where the orders stand, as shares and as a table', async () => {
    shop();
    show();
    expect(
      await screen.findByRole('img', {
        name: 'Approval: Pending Approval 3, 75%; Shipped 1, 25%.',
      }),
    ).toBeVisible();
    expect(
      screen.getByRole('img', { name: 'Payment: Not Paid yet 1, 25%; Paid 3, 75%.' }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: '1 Shipped' })).toHaveAttribute(
      'href',
      '/dashboard/orders?state=shipped',
    );
    const figure = within(
      screen.getByRole('heading', { name: 'Order status' }).closest('figure') as HTMLElement,
    );
    await userEvent.click(figure.getByRole('button', { name: 'Table' }));
    expect(figure.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'StatusOrdersShare',
      'Pending Approval375%',
      'Shipped125%',
      'Not Paid yet125%',
      'Paid375%',
    ]);
  });

  it('leads from what runs low to Manage Products, narrowed to it', async () => {
    shop({ lowStock: [disc, { ...disc, _id: 'p2', name: 'Pad & Clip', partNumber: null }] });
    show();
    const list = within(await screen.findByRole('region', { name: 'Low stock' }));
    expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/manage?q=DL-1000',
      '/dashboard/manage?q=Pad+%26+Clip',
    ]);
  });

  it('says that there may be more than the ten that the shop names', async () => {
    shop({ lowStock: Array.from({ length: 10 }, (_, place) => ({ ...disc, _id: `p${place}` })) });
    show();
    expect(await screen.findByText('10+')).toBeVisible();
  });

  it('leads from the latest orders to each of them', async () => {
    shop();
    show();
    const list = within(await screen.findByRole('region', { name: 'Latest orders' }));
    expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/orders',
      '/dashboard/order/o1',
      '/dashboard/order/o2',
    ]);
    const [first, second] = list.getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(within(first).getByText('Not Paid yet')).toBeVisible();
    expect(within(second).getByText('Paid')).toBeVisible();
  });

  it('is worth looking at before the first sale too', async () => {
    server.use(
      answerTop({ ...top, products: [], customers: [] }),
      answerPayments({
        placed: 0,
        paid: 0,
        placedBefore: 0,
        paidBefore: 0,
        unpaid: payments.unpaid.map((group) => ({ ...group, orders: 0, total: 0 })),
      }),
      http.get('http://shop.test/overview', () =>
        HttpResponse.json(
          anOverview(30, {
            ...nothing,
            days: daysOf(30).map((day) => ({
              ...day,
              orders: 0,
              revenue: 0,
              paid: 0,
              returned: 0,
            })),
          }),
        ),
      ),
    );
    show();
    expect(await screen.findByText('No sales yet')).toBeVisible();
    expect(screen.getByText("No orders yet. They'll show up here.")).toBeVisible();
    expect(screen.getByText('All products are well stocked.')).toBeVisible();
    expect(screen.getByText('No orders yet.')).toBeVisible();
    expect(await screen.findAllByText('No sales in this period.')).toHaveLength(2);
    expect(await screen.findByText('Every order is paid.')).toBeVisible();
    for (const table of screen.getAllByRole('button', { name: 'Table' })) {
      await userEvent.click(table);
    }
    expect(screen.getAllByRole('row').map((row) => row.textContent)).toContain('Paid0–');
  });

  it('shows that it loads, in the shapes of what will come', async () => {
    server.use(
      answerTop(),
      answerPayments(),
      http.get('http://shop.test/overview', async () => {
        await delay(20);
        return HttpResponse.json(anOverview(30));
      }),
    );
    show();
    expect(screen.getByRole('status', { name: 'Loading the overview' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Latest orders' })).toBeVisible();
    expect(screen.queryByRole('status', { name: 'Loading the overview' })).toBeNull();
  });

  it('says what failed and tries again', async () => {
    let broken = true;
    server.use(
      answerTop(),
      answerPayments(),
      http.get('http://shop.test/overview', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json(anOverview(30)),
      ),
    );
    show();
    expect(await screen.findByText('The shop stumbled.')).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Revenue by day' })).toBeVisible();
  });
});

describe('the lines behind the bars', () => {
  it.each([
    [0, [0, 1]],
    [0.01, [0, 0.0025, 0.005, 0.0075, 0.01]],
    [9, [0, 2.5, 5, 7.5, 10]],
    [100, [0, 25, 50, 75, 100]],
    [19350.5, [0, 5000, 10000, 15000, 20000]],
    [20001, [0, 10000, 20000, 30000]],
  ])('reach %d in round steps', (highest, lines) => {
    expect(linesFor(highest).map((line) => Number(line.toFixed(4)))).toEqual(lines);
  });

  it.each([
    [7, [6, 5, 4, 3, 2, 1, 0]],
    [30, [29, 22, 15, 8, 1]],
    [90, [89, 68, 47, 26, 5]],
  ])('name some of %d days, the last one always', (count, days) => {
    expect(namedDays(count)).toEqual(days);
  });
});
