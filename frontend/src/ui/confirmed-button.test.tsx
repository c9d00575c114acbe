import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Link, Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { type CallError, readProblem } from '@/api/problem';
import { renderApp } from '@/testing/render';
import { ConfirmedButton } from './confirmed-button';

const paid = readProblem({ status: 409, data: { message: 'This order is already paid.' } });

/** A list that is asked for again after each try, as the shop's lists are, and has lost the row by then. */
function Orders({ names, error }: { names: string[]; error?: CallError }) {
  const [left, setLeft] = useState(names);
  return (
    <main>
      <h1>My Order</h1>
      <ul>
        {left.map((name) => (
          <li key={name}>
            <ConfirmedButton
              label="Cancel order"
              context={name}
              question="Are you sure?"
              onConfirm={async () => {
                setTimeout(() => setLeft((before) => before.filter((other) => other !== name)));
                return error ? { error } : {};
              }}
            />
          </li>
        ))}
      </ul>
      <Link to="/elsewhere">Elsewhere</Link>
    </main>
  );
}

const cancel = (name: string) =>
  screen.queryByRole('button', { name: new RegExp(`^Cancel order ?${name}$`) });

async function answerYes(name: string) {
  const user = userEvent.setup();
  await user.click(cancel(name) as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  return user;
}

describe('a question whose row is lost', () => {
  it('still says what came of it', async () => {
    renderApp(<Orders names={['Disc', 'Pad']} error={paid} />);
    const user = await answerYes('Disc');
    await waitFor(() => expect(cancel('Disc')).toBeNull());
    expect(screen.getByRole('alert')).toHaveTextContent('This order is already paid.');
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leaves the keyboard at the row that came in its place', async () => {
    renderApp(<Orders names={['Disc', 'Pad', 'Rotor']} />);
    await answerYes('Pad');
    await waitFor(() => expect(cancel('Pad')).toBeNull());
    await waitFor(() => expect(cancel('Rotor')).toHaveFocus());
    await answerYes('Rotor');
    await waitFor(() => expect(cancel('Rotor')).toBeNull());
    await waitFor(() => expect(cancel('Disc')).toHaveFocus());
  });

  it('leaves it at the heading where no row is left, also after a refusal', async () => {
    renderApp(<Orders names={['Disc']} error={paid} />);
    const user = await answerYes('Disc');
    await waitFor(() => expect(cancel('Disc')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'My Order' })).toHaveFocus());
  });

  it('lets whoever has gone on to something else be', async () => {
    renderApp(<Orders names={['Disc', 'Pad']} />);
    await answerYes('Disc');
    // Nobody goes anywhere while the question is open.
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    const elsewhere = screen.getByRole('link', { name: 'Elsewhere' });
    elsewhere.focus();
    await waitFor(() => expect(cancel('Disc')).toBeNull());
    expect(elsewhere).toHaveFocus();
  });
});

it('a question goes with its page', async () => {
  renderApp(
    <Routes>
      <Route path="/" element={<Orders names={['Disc']} />} />
      <Route path="/elsewhere" element={<h1>Elsewhere</h1>} />
    </Routes>,
  );
  const user = userEvent.setup();
  await user.click(cancel('Disc') as HTMLElement);
  expect(screen.getByRole('alertdialog')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Elsewhere', hidden: true }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
