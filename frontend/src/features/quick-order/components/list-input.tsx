import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Field } from '@/ui/field';
import { messages } from '../messages';
import { readList } from '../read-file';
import type { QuickOrder } from '../use-quick-order';

interface ListInputProps {
  order: QuickOrder;
  /** The list was checked. */
  onChecked: () => void;
}

/** Where a list is typed or pasted, or comes from a file. */
export function ListInput({ order, onChecked }: ListInputProps) {
  const { text, checking, failure, setFailure } = order;
  const area = useRef<HTMLTextAreaElement>(null);
  const [over, setOver] = useState(false);
  const fileId = useId();
  const isBlank = text === '' && order.rows === null;

  const check = async (list = text) => {
    if (checking) return;
    if (await order.checkAll(list)) onChecked();
    else area.current?.focus();
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    const answer = await readList(file);
    if ('failure' in answer) {
      setFailure(answer.failure);
      return;
    }
    order.type(answer.text);
    await check(answer.text);
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a mouse may drop a file here; the field is for the keyboard.
    <div
      className={cx(
        'card-surface grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-6',
        over && 'border-accent',
      )}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Field label={messages.list} hint={messages.listHint}>
        {(fieldProps) => (
          <textarea
            {...fieldProps}
            ref={area}
            className="textarea"
            rows={order.rows ? 4 : 10}
            placeholder={messages.placeholder}
            value={text}
            spellCheck={false}
            autoCapitalize="characters"
            autoComplete="off"
            readOnly={checking}
            onChange={(event) => {
              setFailure(null);
              order.type(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              void check();
            }}
          />
        )}
      </Field>
      {failure && <Alert tone="error">{failure}</Alert>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          data-commands
          busy={checking}
          aria-keyshortcuts="Control+Enter"
          onClick={() => void check()}
        >
          {messages.check}
        </Button>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <label
            htmlFor={fileId}
            className="btn btn-outline has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <FileUp aria-hidden="true" className="size-5" />
            {messages.file}
            <input
              id={fileId}
              type="file"
              accept=".csv,.txt,.tsv,text/csv,text/plain"
              className="sr-only"
              disabled={checking}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                void read(file).finally(() => {
                  currentTarget.value = '';
                });
              }}
            />
          </label>
          <span className="text-sm text-muted">{messages.fileHint}</span>
        </span>
        <span className="text-sm text-muted max-lg:hidden">{messages.checkKey}</span>
        {!isBlank && (
          <Button variant="ghost" onClick={order.clear}>
            {messages.clear}
          </Button>
        )}
      </div>
    </div>
  );
}
