import { useAddCustomerNoteMutation, useListCustomerNotesQuery } from '../api';
import { NotesPanel } from './notes-panel';

/** The internal notes about a customer, whichever order it is. */
export function CustomerNotes({ email }: { email: string }) {
  const answer = useListCustomerNotesQuery(email, { refetchOnMountOrArgChange: true });
  const [add] = useAddCustomerNoteMutation();
  return (
    <NotesPanel
      answer={answer}
      add={(text, key) => add({ email, newNote: { text }, 'Idempotency-Key': key })}
    />
  );
}
