import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '@/testing/render';
import { Dialog } from './dialog';
import { DialogButton } from './dialog-button';

/** A dialog that takes a text, and on sending it loses its row, as a list does that was asked anew. */
function Typing({ onSend, onClose }: { onSend: () => void; onClose: () => void }) {
  const [said, setSaid] = useState('');
  return (
    <Dialog open title="Restock" onClose={onClose}>
      <input aria-label="Quantity" />
      <button
        type="button"
        onClick={() => {
          onSend();
          setSaid('This part was archived.');
        }}
      >
        Send
      </button>
      <p>{said}</p>
    </Dialog>
  );
}

function List() {
  const [rows, setRows] = useState(['disc', 'pad']);
  return (
    <ul>
      {rows.map((row) => (
        <li key={row}>
          <DialogButton label="Restock" context={row}>
            {(close) => <Typing onSend={() => setRows(['pad'])} onClose={close} />}
          </DialogButton>
        </li>
      ))}
    </ul>
  );
}

it('keeps its dialog, and what stands in it, when the list loses the row', async () => {
  renderApp(<List />);
  await userEvent.click(screen.getByRole('button', { name: /^Restock ?disc$/ }));
  await userEvent.type(screen.getByLabelText('Quantity'), '500');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(screen.queryByRole('button', { name: /^Restock ?disc$/ })).toBeNull();
  expect(screen.getByText('This part was archived.')).toBeVisible();
  expect(screen.getByLabelText('Quantity')).toHaveValue('500');

  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  // The keyboard is at the row that has come in its place.
  await waitFor(() => expect(screen.getByRole('button', { name: /^Restock ?pad$/ })).toHaveFocus());
});
