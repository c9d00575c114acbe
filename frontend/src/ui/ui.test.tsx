import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { type CallError, readProblem } from '@/api/problem';
import { renderApp } from '@/testing/render';
import { ConfirmDialog } from './confirm-dialog';
import { ConfirmedButton } from './confirmed-button';
import { DataTable } from './data-table';
import { Dialog } from './dialog';
import { ErrorState } from './error-state';
import { Field } from './field';
import { notify } from './notify';
import { ProductPicture } from './product-picture';
import { RatingStars } from './rating-stars';
import { ToastHost } from './toast-host';
import { Truncated } from './truncated';

function Opener({ locked = false }: { locked?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} title="Billing Details" onClose={() => setOpen(false)} locked={locked}>
        <p>inside</p>
      </Dialog>
    </>
  );
}

describe('Dialog', () => {
  it('carries its title as its name, closes on Esc and gives the focus back', async () => {
    renderApp(<Opener />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog', { name: 'Billing Details' });
    // What a browser sends when Esc is pressed in a modal dialog.
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('closes by its cross', async () => {
    renderApp(<Opener />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('inside')).toBeNull();
  });

  it('stays while it is locked', async () => {
    renderApp(<Opener locked />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog');
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  });
});

describe('a pointer at a dialog', () => {
  /** Where the parts of a drag begin and end; the dialog is 100 by 100, and its own target on scrollbar and backdrop. */
  async function drag(from: number, to: number) {
    renderApp(<Opener />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog');
    dialog.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);
    fireEvent(dialog, new MouseEvent('pointerdown', { bubbles: true, clientX: from, clientY: 50 }));
    fireEvent.click(dialog, { clientX: to, clientY: 50 });
    return screen.queryByRole('dialog');
  }

  it('closes it by a click outside', async () => {
    expect(await drag(150, 150)).toBeNull();
  });

  it.each([
    ['its own scrollbar is pressed', 98, 98],
    ['a text is selected beyond its edge', 50, 150],
    ['the click ends inside', 150, 50],
  ])('leaves it open where %s', async (_case, from, to) => {
    expect(await drag(from, to)).toBeVisible();
  });
});

describe('ConfirmDialog', () => {
  const question = 'Are you sure\nYou want to delete this order..!?';

  it('keeps the line break and asks before it acts', async () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    renderApp(
      <ConfirmDialog
        open
        title="Cancel order"
        question={question}
        onConfirm={onConfirm}
        onClose={onClose}
      />,
    );
    expect(screen.getByRole('button', { name: 'No' })).toHaveFocus();
    expect(screen.getByRole('alertdialog', { name: 'Cancel order' })).toHaveAccessibleDescription(
      question,
    );
    const text = screen.getByText(/Are you sure/);
    expect(text.textContent).toBe(question);
    expect(text).toHaveClass('whitespace-pre-line');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Yes' }));
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('shows an error inside itself and takes no second click while busy', () => {
    renderApp(
      <ConfirmDialog
        open
        title="Cancel order"
        question={question}
        busy
        error="It is already paid."
        onConfirm={vi.fn()}
        onClose={vi.fn()}
      />,
    );
    const dialog = within(screen.getByRole('alertdialog'));
    expect(dialog.getByRole('alert')).toHaveTextContent('It is already paid.');
    expect(dialog.getByRole('button', { name: 'Yes' })).toBeDisabled();
  });
});

describe('ConfirmedButton', () => {
  const gone = readProblem({ status: 404, data: { message: 'There is no such part.' } });
  const away = readProblem({ status: 500, data: { message: 'Something broke.' } });

  function show(answers: { error?: CallError }[]) {
    const done = vi.fn();
    const act = vi.fn(async () => answers.shift() ?? {});
    renderApp(
      <ConfirmedButton
        label="Delete"
        context="Tire"
        question="Are you sure?"
        onConfirm={act}
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={done}
      />,
    );
    return { act, done, user: userEvent.setup() };
  }

  const open = () => screen.getByRole('button', { name: /^Delete ?Tire$/ });
  const yes = () => screen.getByRole('button', { name: 'Yes' });

  it('does nothing before it was confirmed', async () => {
    const { act, done, user } = show([]);
    await user.click(open());
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(act).not.toHaveBeenCalled();
    expect(done).not.toHaveBeenCalled();
  });

  it('keeps the question after a failure, and forgets the failure with it', async () => {
    const { done, user } = show([{ error: away }]);
    await user.click(open());
    await user.click(yes());
    expect(await screen.findByRole('alert')).toHaveTextContent('Something broke.');
    expect(done).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'No' }));
    await user.click(open());
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(yes());
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('takes for done what is as good as that', async () => {
    const { done, user } = show([{ error: gone }]);
    await user.click(open());
    await user.click(yes());
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('Field', () => {
  it('ties label, hint and error to the control', () => {
    renderApp(
      <Field label="Phone" hint="With area code" error="Phone is required">
        {(fieldProps) => <input {...fieldProps} />}
      </Field>,
    );
    const input = screen.getByLabelText('Phone');
    expect(input).toHaveAccessibleDescription('With area code Phone is required');
    expect(input).toBeInvalid();
  });

  it('lets a number alone that the wheel passes over, and the keyboard in every other field', () => {
    renderApp(
      <>
        <Field label="Quantity">{(fieldProps) => <input {...fieldProps} type="number" />}</Field>
        <Field label="Phone">{(fieldProps) => <input {...fieldProps} />}</Field>
      </>,
    );
    const [quantity, phone] = [screen.getByLabelText('Quantity'), screen.getByLabelText('Phone')];
    quantity.focus();
    fireEvent.wheel(quantity, { deltaY: 100 });
    expect(quantity).not.toHaveFocus();
    phone.focus();
    fireEvent.wheel(phone, { deltaY: 100 });
    expect(phone).toHaveFocus();
  });
});

describe('DataTable', () => {
  it('is a table to who cannot see it, and names each value for the card on a phone', () => {
    renderApp(
      <DataTable
        caption="Orders"
        columns={[
          { header: 'No.', cell: (_row: { name: string }, index) => index + 1 },
          { header: 'Name', cell: (row) => row.name },
        ]}
        rows={[{ name: 'Disc' }, { name: 'Pad' }]}
        rowKey={(row) => row.name}
        offset={20}
      />,
    );
    const table = within(screen.getByRole('table', { name: 'Orders' }));
    expect(table.getAllByRole('row')).toHaveLength(3);
    expect(table.getByRole('cell', { name: '22' })).toHaveAttribute('data-label', 'No.');
    expect(table.getByRole('cell', { name: 'Pad' })).toHaveAttribute('data-label', 'Name');
  });
});

describe('small things', () => {
  it('shows a cut text to the eye and the whole to everybody else', () => {
    renderApp(
      <button type="button">
        <Truncated text="Leather Sport Steering Wheel" length={18} />
      </button>,
    );
    expect(screen.getByRole('button')).toHaveAccessibleName('Leather Sport Steering Wheel');
    expect(screen.getByText('Leather Sport Stee…')).toHaveAttribute('aria-hidden', 'true');
  });

  it('says a rating in words, and fills as many stars', () => {
    const { container } = renderApp(<RatingStars rating={2} />);
    expect(screen.getByRole('img', { name: 'Rated 2 out of 5' })).toBeInTheDocument();
    expect(container.querySelectorAll('.fill-current')).toHaveLength(2);
  });

  it('stands in for a picture that does not load', () => {
    renderApp(<ProductPicture img="/pictures/tyre-640.webp" alt="Tire" sizes="10rem" />);
    const picture = screen.getByRole('img', { name: 'Tire' });
    expect(picture).toHaveAttribute(
      'srcset',
      expect.stringContaining('/pictures/tyre-960.webp 960w'),
    );
    fireEvent.error(picture);
    expect(screen.getByText('No picture')).toBeInTheDocument();
  });

  it('offers to try again after a failure', async () => {
    const retry = vi.fn();
    renderApp(
      <ErrorState
        title="The list did not load"
        error={readProblem({ status: 'FETCH_ERROR', error: 'x' })}
        onRetry={retry}
      />,
    );
    expect(screen.getByRole('alert')).toHaveTextContent(/can't reach the store/);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
  });
});

describe('toasts', () => {
  it('shows messages said before and after the library came, and lets each be dismissed', async () => {
    notify.success('Restocked Successfully');
    renderApp(<ToastHost />);
    expect(await screen.findByText('Restocked Successfully')).toBeInTheDocument();
    act(() => notify.error('You are not authorized to do this'));
    expect(await screen.findByText('You are not authorized to do this')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Dismiss message' })).toHaveLength(2);
  });
});
