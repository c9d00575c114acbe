import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { disc, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { payments, shop, top } from './fixture';
import OverviewPage from './pages/overview-page';

const show = () => renderApp(<OverviewPage />, { user: customer, at: '/dashboard/overview' });

describe('what sells and what is paid', () => {
  it('names what sold best and who bought most, with the way to the orders', async () => {
    shop();
    show();
    const products = within(await screen.findByRole('region', { name: 'Top products' }));
    expect((await products.findAllByRole('link')).map((link) => link.getAttribute('href'))).toEqual(
      [
        `/product/${disc._id}`,
        '/dashboard/orders?q=DL-1000&state=all&from=2026-10-23&to=2026-11-21',
        '/product/p2',
        '/dashboard/orders?q=Pad+%26+Clip&state=all&from=2026-10-23&to=2026-11-21',
      ],
    );
    const [first, second] = products.getAllByRole('listitem').map((one) => one.textContent);
    expect(first).toContain('$19,350.60');
    expect(first).toContain('DL-1000 · 1,250 units in 3 orders');
    expect(first).toContain('50% more than the period before');
    expect(second).toContain('No sales in the period before');
    const customers = within(screen.getByRole('region', { name: 'Top customers' }));
    expect(customers.getByRole('listitem')).toHaveTextContent('50% less than the period before');
    expect(customers.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/users/dana%2Bshop%40example.com',
      '/dashboard/orders?q=dana%2Bshop%40example.com&state=all&from=2026-10-23&to=2026-11-21',
    ]);
  });

  it('shows how many orders are paid, and leads to the unpaid ones of each age', async () => {
    shop();
    show();
    const card = within(await screen.findByRole('region', { name: 'Payments' }));
    expect(await card.findByText('75% paid')).toBeVisible();
    expect(card.getByText('6 of 8 orders placed, so far')).toBeVisible();
    expect(card.getByText('40% in the period before')).toBeVisible();
    const links = card
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['Today and yesterday: 4 orders not paid', '/dashboard/orders?state=unpaid&from=2026-11-20'],
      [
        '2–7 days: 0 orders not paid',
        '/dashboard/orders?state=unpaid&from=2026-11-14&to=2026-11-19',
      ],
      [
        '8–30 days: 1 order not paid',
        '/dashboard/orders?state=unpaid&from=2026-10-22&to=2026-11-13',
      ],
      ['More than 30 days: 2 orders not paid', '/dashboard/orders?state=unpaid&to=2026-10-21'],
    ]);
    expect(card.getByText('$6,450.50')).toBeVisible();
  });

  it('says which part could not be loaded, shows the others, and tries that one again', async () => {
    shop();
    let broken = true;
    server.use(
      http.get('http://shop.test/overview/payments', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json(payments),
      ),
    );
    show();
    expect(await screen.findByText("We couldn't load the payments")).toBeVisible();
    expect(screen.getByRole('region', { name: 'Top products' })).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('75% paid')).toBeVisible();
  });

  it('shows that a part loads, under its heading', async () => {
    shop();
    server.use(
      http.get('http://shop.test/overview/top', async () => {
        await delay(30);
        return HttpResponse.json(top);
      }),
    );
    show();
    expect(await screen.findByRole('status', { name: 'Loading the top products' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Top customers' })).toBeVisible();
    expect(await screen.findByText('Dana Reed', { selector: 'a' })).toBeVisible();
    expect(screen.queryByRole('status', { name: /^Loading the top/ })).toBeNull();
  });

  it('shows what each category brought in, and saves it by day, category and customer', async () => {
    shop();
    const asked: string[] = [];
    server.use(
      http.get('http://shop.test/overview/sales.csv', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 });
      }),
    );
    show();
    const card = within(await screen.findByRole('region', { name: 'Sales by category' }));
    const rows = await card.findAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'CategoryOrdersUnitsSalesPeriod before',
      'Brake Parts41,300$25,800.60$12,900.00',
      'Tires00$0.00$51.50',
    ]);
    await userEvent.click(card.getByRole('button', { name: 'Sales by customer' }));
    await waitFor(() =>
      expect(takeNotices()).toEqual([
        { tone: 'error', text: "The file wasn't saved. The shop stumbled." },
      ]),
    );
    expect(asked).toEqual(['?by=customer&days=30']);
  });
});
