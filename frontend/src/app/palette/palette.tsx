import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useUser } from '@/features/accounts/session/use-session';
import { remember } from '@/lib/recent';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Spinner } from '@/ui/spinner';
import { useModal } from '@/ui/use-modal';
import { messages as late } from '../late-messages';
import { CHOSEN } from './fixed';
import { type Item, recentOf } from './items';
import { messages } from './messages';
import { Options, optionId } from './options';
import { useChoice } from './use-choice';
import { useFound } from './use-found';

function Keys() {
  return (
    <p
      aria-hidden="true"
      className="flex gap-4 border-t border-base-300 px-4 py-2 text-sm text-muted max-sm:hidden"
    >
      {messages.keys.map(({ key, does }) => (
        <span key={key}>
          <kbd>
            <Badge>{key}</Badge>
          </kbd>{' '}
          {does}
        </span>
      ))}
    </p>
  );
}

/** Closes the palette, then does what was chosen: the focus is back on the screen by then. */
function useChoose(onClose: () => void) {
  const navigate = useNavigate();
  const user = useUser();
  return (item: Item) => {
    const place = recentOf(item);
    if (place && user) remember(CHOSEN, user.email, place);
    onClose();
    setTimeout(() => (item.to === undefined ? item.run() : navigate(item.to)));
  };
}

/** Where to and what to do, by a few characters: a field with what fits below it (the combobox of the ARIA practices). */
export default function Palette({ onClose }: { onClose: () => void }) {
  const element = useModal(true, onClose);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const found = useFound(typed);
  const choose = useChoose(onClose);
  const { active, count, point, onKeyDown } = useChoice(found, choose);
  const { who, search, groups, busy, failed, retry } = found;
  const nothing = search !== '' && !busy && groups.every(({ name }) => name === 'more');

  return (
    <dialog
      ref={element}
      aria-label={late.searchAndGo}
      className="mx-auto mt-4 mb-auto w-[calc(100%-2rem)] max-w-2xl overflow-hidden rounded-box border border-base-300 bg-base-100 p-0 text-base-content shadow-raised sm:mt-24"
    >
      <div className="flex items-center gap-3 border-b border-base-300 px-4 focus-within:border-primary">
        {busy ? <Spinner small /> : <Search aria-hidden="true" className="size-5 text-muted" />}
        <input
          role="combobox"
          aria-label={messages.search}
          aria-expanded={count > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          placeholder={messages[who]}
          className="min-h-14 w-full bg-transparent text-lg focus-visible:outline-none"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p role="status" className="sr-only">
        {busy ? messages.searching : nothing ? messages.nothing(search) : messages.count(count)}
      </p>
      <div className="flex h-96 max-h-[60dvh] flex-col">
        {nothing && !failed && (
          <div className="px-3 pt-4">
            <p className="font-semibold">{messages.nothing(search)}</p>
            <p className="text-muted">{messages.nothingHint}</p>
          </div>
        )}
        {failed && (
          <div role="alert" className="flex flex-wrap items-center gap-3 px-3 pt-3">
            {messages.failed}
            <Button variant="outline" onClick={retry}>
              {messages.retry}
            </Button>
          </div>
        )}
        <Options
          id={listId}
          groups={groups}
          active={active}
          busy={busy}
          onPoint={point}
          onChoose={choose}
        />
      </div>
      <Keys />
    </dialog>
  );
}
