import { useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import { formatCount } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notify';
import { PlainTable } from '@/ui/plain-table';
import { useImportTaxRatesMutation, useSaveRatesSampleMutation } from '../api';
import { messages } from '../messages';
import type { RatesReport } from '../wire';

const { import: text } = messages;

/** What the shop takes: larger files are refused before they are sent. */
const LARGEST = 2 * 1024 * 1024;

function Report({ report: { added, findings } }: { report: RatesReport }) {
  const summary =
    findings.length > 0
      ? text.refused(new Set(findings.map(({ line }) => line)).size)
      : added === 0
        ? text.none
        : text.done(added);
  return (
    <>
      <Alert tone={findings.length > 0 ? 'error' : 'success'}>{summary}</Alert>
      {findings.length > 0 && (
        <PlainTable
          caption={text.findings}
          headers={text.columns}
          rows={findings.map(({ line, field, message }) => [
            formatCount(line),
            field || text.wholeRow,
            message,
          ])}
          className="max-h-96"
        />
      )}
    </>
  );
}

/** Takes rates out of a file, and says of each line that was not taken why. */
export function ImportRates() {
  const [file, setFile] = useState<File | null>(null);
  const [wrong, setWrong] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const [importRates, { data, error, isLoading, reset }] = useImportTaxRatesMutation();
  const [saveSample, sample] = useSaveRatesSampleMutation();

  const submit = async () => {
    const mistake = !file ? text.required : file.size > LARGEST ? text.tooLarge : undefined;
    setWrong(mistake);
    if (mistake) input.current?.focus();
    else if (file) await importRates(await file.arrayBuffer());
  };
  const download = async () => {
    const answer = await saveSample();
    if (answer.error) notify.error(text.sampleFailed(problemOf(answer.error).message));
  };

  return (
    <section
      aria-label={text.title}
      className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-8"
    >
      <p className="text-muted">{text.hint}</p>
      <Field label={text.file} hint={text.fileHint} error={wrong}>
        {(fieldProps) => (
          <input
            {...fieldProps}
            ref={input}
            type="file"
            accept=".csv,.txt,text/csv"
            className="file-input max-w-full"
            disabled={isLoading}
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null);
              setWrong(undefined);
              reset();
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-4">
        <Button busy={isLoading} onClick={() => void submit()}>
          {text.submit}
        </Button>
        <Button variant="outline" busy={sample.isLoading} onClick={() => void download()}>
          {text.sample}
        </Button>
        <span role="status">{isLoading ? text.importing : ''}</span>
      </div>
      {error && <Alert tone="error">{problemOf(error).message}</Alert>}
      {data && <Report report={data} />}
    </section>
  );
}
