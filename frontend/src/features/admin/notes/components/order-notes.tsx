import { useAddOrderNoteMutation, useListOrderNotesQuery } from '../api';
import { NotesPanel } from './notes-panel';

/** The internal notes about an order, canceled or not. */
export default function OrderNotes({ id }: { id: string }) {
  const answer = useListOrderNotesQuery(id, { refetchOnMountOrArgChange: true });
  const [add] = useAddOrderNoteMutation();
  return (
    <NotesPanel
      answer={answer}
      add={(text, key) => add({ id, newNote: { text }, 'Idempotency-Key': key })}
    />
  );
}
