import { type DragEvent, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { FeedKindName, FeedModeName } from '@/api/types';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Field } from '@/ui/field';
import { useSendFeedMutation } from '../api';
import { messages } from '../messages';

const { send: text } = messages;
const kinds = Object.keys(messages.kinds) as FeedKindName[];

/** Only feeds of these kinds say all that there is of a brand. */
const replacing: readonly FeedKindName[] = ['products', 'numbers', 'fitment'];
const modesOf = (kind: FeedKindName) =>
  (Object.keys(messages.modes) as FeedModeName[]).filter(
    (mode) => mode !== 'replace' || replacing.includes(kind),
  );

/** A file is sent to be checked; nothing changes by it. */
export function SendFeed({ onSent }: { onSent: (id: string) => void }) {
  const [kind, setKind] = useState<FeedKindName>('stock');
  const [mode, setMode] = useState<FeedModeName>('update');
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState(false);
  const [over, setOver] = useState(false);
  const [send, { isLoading, error }] = useSendFeedMutation();

  const choose = (chosen: File | null) => {
    setFile(chosen);
    setMissing(false);
  };
  const chooseKind = (chosen: FeedKindName) => {
    setKind(chosen);
    if (!modesOf(chosen).includes(mode)) setMode('update');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped) choose(dropped);
  };
  const submit = async () => {
    if (!file) {
      setMissing(true);
      return;
    }
    const { data } = await send({ file, kind, mode });
    if (data) onSent(data._id);
  };

  return (
    <section aria-labelledby="send-feed" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 id="send-feed" className="text-3xl">
        {text.heading}
      </h2>
      <div className="card-surface grid gap-5 p-6">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={text.kind}>
            {(fieldProps) => (
              <select
                {...fieldProps}
                className="select"
                value={kind}
                onChange={(event) => chooseKind(event.target.value as FeedKindName)}
              >
                {kinds.map((each) => (
                  <option key={each} value={each}>
                    {messages.kinds[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={text.mode} hint={text.modeHints[mode]}>
            {(fieldProps) => (
              <select
                {...fieldProps}
                className="select"
                value={mode}
                onChange={(event) => setMode(event.target.value as FeedModeName)}
              >
                {modesOf(kind).map((each) => (
                  <option key={each} value={each}>
                    {messages.modes[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a mouse may drop a file here; the field is for the keyboard. */}
        <div
          className={cx(
            'rounded-field border border-dashed p-4',
            over ? 'border-accent' : 'border-edge',
          )}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Field label={text.file} hint={text.fileHint} error={missing ? text.required : undefined}>
            {(fieldProps) => (
              <input
                {...fieldProps}
                type="file"
                accept=".csv,.txt,.tsv,text/csv"
                className="file-input"
                disabled={isLoading}
                onChange={(event) => choose(event.target.files?.[0] ?? null)}
              />
            )}
          </Field>
          {file && <p className="mt-2 font-semibold break-all">{file.name}</p>}
        </div>
        {error && <Alert tone="error">{problemOf(error).message}</Alert>}
        <div className="flex flex-wrap items-center gap-4">
          <Button busy={isLoading} onClick={submit}>
            {text.submit}
          </Button>
          <a
            className="link-accent inline-flex min-h-11 items-center"
            href={`/feeds/samples/${kind}.csv`}
            download
          >
            {text.sample(kind)}
          </a>
          <span role="status">{isLoading ? text.sending : ''}</span>
        </div>
      </div>
    </section>
  );
}
