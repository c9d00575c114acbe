import { Copy, Download } from 'lucide-react';
import { saveFile } from '@/lib/save-file';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { codesMessages as messages } from '../messages';

/** Recovery codes, the one time that they are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    notify.success(messages.copied);
  };
  return (
    <div className="grid gap-5">
      <p className="text-muted">{messages.about}</p>
      <ul
        aria-label={messages.list}
        className="card-surface grid gap-x-6 gap-y-2 p-4 sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => void copy()}>
          <Copy aria-hidden="true" className="size-4" />
          {messages.copy}
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), messages.file)}
        >
          <Download aria-hidden="true" className="size-4" />
          {messages.download}
        </Button>
        <Button onClick={onDone}>{messages.done}</Button>
      </div>
    </div>
  );
}
