import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/testing/render';
import AboutPage from './pages/about-page';
import NotFoundPage from './pages/not-found-page';

describe('About', () => {
  it('says since when, what is promised, on which terms, and leads to the shop', () => {
    renderApp(<AboutPage />);
    expect(
      screen.getByRole('heading', { level: 1, name: 'Reliable parts since 1992' }),
    ).toBeVisible();
    const benefits = within(screen.getByRole('region', { name: 'Benefits' }));
    for (const promise of ['Free delivery', '24/7 customer support', 'Money back guarantee']) {
      expect(benefits.getByText(promise)).toBeVisible();
    }
    const terms = within(screen.getByRole('region', { name: 'Our terms in plain English' }));
    expect(terms.getByText('Free for orders over $140')).toBeVisible();
    expect(terms.getByText('Money back guarantee within 30 days')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Shop parts' })).toHaveAttribute('href', '/shop');
  });
});

describe('an address that is not there', () => {
  it("says so in the spec's words and leads home", () => {
    renderApp(<NotFoundPage />);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('OPSS! PAGE NOT FOUND');
    expect(screen.getByText("Sorry, the page you're looking for doesn't exist.")).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return home' })).toHaveAttribute('href', '/');
  });
});
