import { openCommandPalette, paletteKey } from '@/lib/command-palette';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { messages } from '../messages';

const { keys: text } = messages;

interface KeyboardHelpProps {
  open: boolean;
  enabled: boolean;
  onChoose: (enabled: boolean) => void;
  onClose: () => void;
}

/** The keys of the list, and the way to switch them off. */
export function KeyboardHelp({ open, enabled, onChoose, onClose }: KeyboardHelpProps) {
  return (
    <Dialog open={open} title={text.title} onClose={onClose}>
      <dl className="grid gap-3">
        {text.list.map(({ key, does }) => (
          <div key={key} className="flex items-center gap-4">
            <dt className="w-16 shrink-0">
              <kbd>
                <Badge>{key}</Badge>
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button
          variant="outline"
          aria-haspopup="dialog"
          aria-keyshortcuts={paletteKey.aria}
          onClick={() => {
            onClose();
            // One dialog at a time: this one has gone by then.
            setTimeout(openCommandPalette);
          }}
        >
          {text.palette}
          <Badge>{paletteKey.label}</Badge>
        </Button>
      </div>
      <label className="mt-4 flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
        <input
          type="checkbox"
          className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
          checked={enabled}
          onChange={(event) => onChoose(event.target.checked)}
        />
        {text.enabled}
      </label>
    </Dialog>
  );
}
