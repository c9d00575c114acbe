import { useEffect, useId, useRef, useState } from 'react';
import { isRetryable, problemOf } from '@/api/problem';
import type { BadRow, ImportReport } from '@/api/types';
import { columnNames } from '@/features/catalog/attributes';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatCount } from '@/lib/money';
import { saveFile } from '@/lib/save-file';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { PlainTable } from '@/ui/plain-table';
import { Spinner } from '@/ui/spinner';
import { useImportProductsMutation } from '../api';
import { messages } from '../messages';

const { import: text } = messages;

/** What the shop takes: larger files are refused before they are sent. */
const LARGEST = 2 * 1024 * 1024;

const TEMPLATE = `${columnNames.join(',')}\r\n`;

function summaryOf({ rows: all, added, bad }: ImportReport): string {
  if (all === 0) return text.noRows;
  if (bad.length === 0) return text.allGood(all);
  return added === 0 ? text.noneGood(all) : text.someGood(all, added);
}

function BadRows({ bad }: { bad: BadRow[] }) {
  return (
    <PlainTable
      caption={text.badRows}
      headers={text.columns}
      rows={bad.map(({ line, field, message }) => [
        formatCount(line),
        field || text.wholeRow,
        message,
      ])}
      className="max-h-72"
    />
  );
}

type Work = 'checking' | 'importing' | null;

/** The import: a dry run first, then the import itself. */
function useImport(onImported: (count: number) => void) {
  const keys = useIdempotencyKeys();
  const [send] = useImportProductsMutation();
  const [work, setWork] = useState<Work>(null);
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const latest = useRef(0);

  const check = async (chosen: File) => {
    latest.current += 1;
    const turn = latest.current;
    setWork('checking');
    // Not as text: whether it is UTF-8 is for the shop to find out.
    const answer = await send({ csv: await chosen.arrayBuffer(), dryRun: true });
    // Another file was chosen meanwhile: nobody waits for this answer.
    if (turn !== latest.current) return;
    setWork(null);
    if (answer.error) setFailure(problemOf(answer.error).message);
    else setReport(answer.data);
  };

  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setReport(null);
    setFailure(null);
    if (chosen && chosen.size <= LARGEST) {
      await check(chosen);
      return;
    }
    latest.current += 1;
    setWork(null);
    if (chosen) setFailure(text.tooLarge);
  };

  const bring = async (partial: boolean) => {
    if (!file) return;
    setFailure(null);
    setWork('importing');
    const { name, size, lastModified } = file;
    const key = keys.keyFor({ name, size, lastModified, partial });
    const answer = await send({ csv: await file.arrayBuffer(), partial, 'Idempotency-Key': key });
    setWork(null);
    if (!answer.error) {
      keys.finish();
      if (answer.data.bad.length === 0) onImported(answer.data.added);
      else setReport(answer.data);
      return;
    }
    const problem = problemOf(answer.error);
    setFailure(problem.message);
    if (!isRetryable(problem)) keys.finish();
    // What was good a moment ago is not any more: another admin was here.
    if (problem.status === 422) await check(file);
  };

  return { work, file, report, failure, choose, bring };
}

/** Imports products from a file. Nothing is added before the server has checked all of it. */
export function ImportDialog({
  onClose,
  onImported,
}: {
  onClose: () => void;
  onImported: (count: number) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const statusId = useId();
  const { work, report, failure, choose, bring } = useImport(onImported);
  const done = report !== null && !report.dryRun;
  const good = report?.dryRun ? report.added : 0;

  useEffect(() => input.current?.focus(), []);
  // The field and the button that had the focus are gone then.
  useEffect(() => {
    if (done) status.current?.focus();
  }, [done]);

  return (
    <Dialog
      open
      wide
      title={text.title}
      onClose={onClose}
      locked={work === 'importing'}
      footer={
        <>
          <Button
            variant={done ? 'primary' : 'outline'}
            onClick={onClose}
            disabled={work === 'importing'}
          >
            {done ? text.close : messages.cancel}
          </Button>
          {good > 0 && report && (
            <Button
              busy={work === 'importing'}
              aria-describedby={statusId}
              onClick={() => bring(report.bad.length > 0)}
            >
              {report.bad.length > 0 ? text.importGood(good) : text.importAll(good)}
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {!done && (
          <div className="grid gap-3">
            <Field label={text.file} hint={text.fileHint}>
              {(fieldProps) => (
                <input
                  {...fieldProps}
                  ref={input}
                  type="file"
                  accept=".csv,text/csv"
                  className="file-input"
                  disabled={work === 'importing'}
                  onChange={(event) => choose(event.target.files?.[0] ?? null)}
                />
              )}
            </Field>
            <button
              type="button"
              className="link-accent min-h-11 cursor-pointer justify-self-start"
              onClick={() =>
                saveFile(new Blob([TEMPLATE], { type: 'text/csv' }), 'products-template.csv')
              }
            >
              {text.template}
            </button>
          </div>
        )}
        {failure && <Alert tone="error">{failure}</Alert>}
        <div ref={status} id={statusId} role="status" tabIndex={-1}>
          {work === 'checking' && (
            <p className="flex items-center gap-3">
              <Spinner small />
              {text.checking}
            </p>
          )}
          {work !== 'checking' && report && (
            <p className="font-semibold">
              {done ? text.done(report.added, report.rows - report.added) : summaryOf(report)}
            </p>
          )}
        </div>
        {work !== 'checking' && report && report.bad.length > 0 && <BadRows bad={report.bad} />}
      </div>
    </Dialog>
  );
}
