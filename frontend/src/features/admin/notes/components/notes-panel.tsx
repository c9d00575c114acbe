import type { CallError } from '@/api/problem';
import type { Note } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { useRemoveNoteMutation } from '../api';
import { messages } from '../messages';
import { type Add, NoteForm } from './note-form';

/** As RTK Query answers for a list of notes. */
interface Answer {
  data?: readonly Note[] | undefined;
  error?: CallError | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

function Written({ note }: { note: Note }) {
  const [remove] = useRemoveNoteMutation();
  return (
    <li className="grid gap-2">
      <p className="whitespace-pre-line wrap-anywhere">{note.text}</p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted wrap-anywhere">
          {note.author}, <time dateTime={note.createdAt}>{formatTime(note.createdAt)}</time>
        </p>
        <ConfirmedButton
          label={messages.remove}
          title={messages.removeTitle}
          context={messages.removeContext(note.author)}
          question={messages.removeQuestion}
          note={messages.removeNote}
          danger
          onConfirm={() => remove(note._id)}
        />
      </div>
    </li>
  );
}

function Listed({ data, error, isError, isFetching, refetch }: Answer) {
  if (data) {
    if (data.length === 0) return <p className="text-muted">{messages.empty}</p>;
    return (
      <ul className="grid gap-5">
        {data.map((note) => (
          <Written key={note._id} note={note} />
        ))}
      </ul>
    );
  }
  if (isError && !isFetching) {
    return <ErrorState title={messages.failed} error={error} onRetry={refetch} />;
  }
  return (
    <div role="status" aria-label={messages.loading}>
      <Skeleton className="h-20 w-full" />
    </div>
  );
}

/** Internal notes, latest first, and the form for another one. */
export function NotesPanel({ answer, add }: { answer: Answer; add: Add }) {
  return (
    <section
      aria-labelledby="notes"
      className="card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6 print:hidden"
    >
      <div>
        <h2 id="notes" className="text-2xl">
          {messages.heading}
        </h2>
        <p className="text-sm text-muted">{messages.hint}</p>
      </div>
      <NoteForm add={add} />
      <Listed {...answer} />
    </section>
  );
}
