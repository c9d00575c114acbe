import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { ComponentType } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '@/api/types';
import { screens } from '@/app/screens';
import { aConfig } from '@/testing/config';
import { problem } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import type { Policy } from './messages';
import * as messages from './messages';
import ContactPage from './pages/contact-page';
import PrivacyPage from './pages/privacy-page';
import ReturnPolicyPage from './pages/return-policy-page';
import ShippingPage from './pages/shipping-page';
import TermsPage from './pages/terms-page';

const policies: readonly [Policy, ComponentType][] = [
  [messages.contact, ContactPage],
  [messages.shipping, ShippingPage],
  [messages.returnPolicy, ReturnPolicyPage],
  [messages.terms, TermsPage],
  [messages.privacy, PrivacyPage],
];

const nobody = { company: null, email: null, phone: null, address: null, supportHours: null };

function shop(config: Config) {
  server.use(http.get('*/config', () => HttpResponse.json(config)));
}

describe('the pages that say what customers can rely on', () => {
  beforeEach(() => shop(aConfig()));

  it.each(policies)('$heading has one heading, its sections and a title', async (policy, Page) => {
    renderApp(<Page />);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(policy.heading);
    for (const { heading } of policy.sections) {
      expect(screen.getByRole('heading', { level: 2, name: heading })).toBeVisible();
    }
    expect(document.title).toBe(`${policy.heading} | Driveline`);
    expect(await screen.findByText('Vale Parts LLC')).toBeVisible();
  });

  it.each([
    ['free delivery over $140', ShippingPage, /Free delivery for orders over \$140/],
    ['support around the clock', ContactPage, /24\/7 customer support/],
    ['money back within 30 days', ReturnPolicyPage, /Money back guarantee within 30 days/],
    ['50 units at least', TermsPage, /minimum order is 50 units/],
    ['every cookie by its name', PrivacyPage, /^session$/],
  ])('cover %s', (_promise, Page, words) => {
    renderApp(<Page />);
    expect(screen.getByText(words)).toBeVisible();
  });

  it.each([
    [aConfig(), /usually 2 days, or 90 minutes if your account hasn't paid/, /5 unpaid orders/],
    [
      aConfig({
        unpaidOrders: { minutes: 1440, minutesForNewAccounts: 1440, mostForNewAccounts: null },
      }),
      /usually 24 hours\./,
      /usually 24 hours\.$/,
    ],
  ])("say of unpaid orders what the operator's settings are", async (config, hold, most) => {
    shop(config);
    const { unmount } = renderApp(<ShippingPage />);
    expect(await screen.findByText(hold)).toBeVisible();
    unmount();
    renderApp(<TermsPage />);
    expect(await screen.findByText(most)).toBeVisible();
  });

  it.each([
    [1, '1 minute'],
    [60, '60 minutes'],
    [90, '90 minutes'],
    [120, '2 hours'],
    [1440, '24 hours'],
    [2880, '2 days'],
    [4320, '3 days'],
    [2160, '36 hours'],
  ])('write %i minutes as %s', (minutes, words) => {
    expect(messages.inWords(minutes)).toBe(words);
  });

  it('link only to screens that are there', () => {
    const links = policies.flatMap(([policy]) =>
      policy.sections.flatMap((part) => part.links ?? []),
    );
    const addresses: string[] = Object.values(screens).map(({ path }) => path);
    for (const { to } of links) expect(addresses).toContain(to);
  });

  it('say in a demo that it is one, and nowhere else', async () => {
    const { unmount } = renderApp(<TermsPage />);
    expect(await screen.findByText(/This store is a demo: nothing is sold/)).toBeVisible();
    unmount();
    shop(aConfig({ paymentProvider: 'stripe', publishableKey: 'pk_1' }));
    renderApp(<TermsPage />);
    expect(await screen.findByText('Vale Parts LLC')).toBeVisible();
    expect(screen.queryByText(/is a demo/)).not.toBeInTheDocument();
  });
});

describe('the contact details', () => {
  const details = () => within(screen.getByRole('complementary', { name: 'Our contact details' }));

  it('can be written to and dialed', async () => {
    shop(aConfig());
    renderApp(<ContactPage />);
    const email = await details().findByRole('link', { name: 'support@vale.example' });
    expect(email).toHaveAttribute('href', 'mailto:support@vale.example');
    expect(details().getByRole('link', { name: /555/ })).toHaveAttribute(
      'href',
      'tel:+12025550143',
    );
    expect(details().getByText('7 Camshaft Bay, Gearton')).toBeVisible();
    expect(details().getByText('Around the clock')).toBeVisible();
  });

  it('name another way to reach a shop that gives neither address nor number', async () => {
    shop(aConfig({ shop: { name: 'Driveline', ...nobody } }));
    renderApp(<ContactPage />);
    expect(await details().findByText(/Reply to any email from us/)).toBeVisible();
    expect(details().queryByText('Company')).not.toBeInTheDocument();
  });

  it('say when they did not load, and load again', async () => {
    const message = 'That took too long.';
    server.use(
      http.get('*/config', () => HttpResponse.json(problem('bug', 500, message), { status: 500 })),
    );
    renderApp(<ContactPage />);
    expect(details().getByText('Loading our contact details')).toBeInTheDocument();
    expect(await details().findByText("We couldn't load our contact details")).toBeVisible();
    shop(aConfig());
    await userEvent.click(details().getByRole('button', { name: 'Retry' }));
    expect(await details().findByText('Vale Parts LLC')).toBeVisible();
  });
});
