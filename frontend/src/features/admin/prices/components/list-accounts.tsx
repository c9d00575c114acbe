import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { isEmail } from '@/lib/email';
import { paths } from '@/lib/paths';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notify';
import { useGetListAccountsQuery, useSetListAccountsMutation } from '../api';
import { messages } from '../messages';
import type { PriceList } from '../wire';

const { list: text } = messages;

function AccountsOf({ id, emails }: { id: PriceList['_id']; emails: readonly string[] }) {
  const [put, { isLoading }] = useSetListAccountsMutation();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string>();

  const add = async (event: FormEvent) => {
    event.preventDefault();
    const email = typed.trim();
    const known = emails.some((each) => each.toLowerCase() === email.toLowerCase());
    const mistake = known ? text.emailTwice : isEmail(email) ? undefined : text.emailWrong;
    setWrong(mistake);
    if (mistake) return;
    const { error } = await put({ id, emails: [...emails, email] });
    if (error) {
      const problem = problemOf(error);
      setWrong(Object.values(problem.errors)[0] ?? problem.message);
      return;
    }
    setTyped('');
    notify.success(text.accountsSaved(email));
  };
  const remove = async (email: string) => {
    const { error } = await put({ id, emails: emails.filter((each) => each !== email) });
    if (error) notify.error(problemOf(error).message);
    else notify.success(text.accountRemoved(email));
  };

  return (
    <div className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-8">
      {emails.length === 0 ? (
        <p className="text-muted">{text.noAccounts}</p>
      ) : (
        <ul aria-label={text.accounts} className="divide-y divide-base-300">
          {emails.map((email) => (
            <li key={email} className="flex flex-wrap items-center justify-between gap-3">
              <Link to={paths.customer(email)} className="link-accent py-2 break-all">
                {email}
              </Link>
              <Button variant="ghost" disabled={isLoading} onClick={() => void remove(email)}>
                {text.removeAccount} <span className="sr-only">{email}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form noValidate onSubmit={(event) => void add(event)} className="grid max-w-xl gap-3">
        <Field label={text.email} error={wrong}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="email"
              className="input"
              autoComplete="off"
              spellCheck={false}
              maxLength={254}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setWrong(undefined);
              }}
            />
          )}
        </Field>
        <Button type="submit" variant="outline" busy={isLoading} className="justify-self-start">
          {text.addAccount}
        </Button>
      </form>
    </div>
  );
}

/** Who buys by a list; each change is saved at once. */
export function ListAccounts({ id }: { id: PriceList['_id'] }) {
  const answer = useGetListAccountsQuery(id, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="list-accounts" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="list-accounts" className="text-2xl">
        {text.accounts}
      </h3>
      <p className="text-muted">{text.accountsHint}</p>
      <Answered answer={answer} loading={text.accountsLoading} failed={text.accountsFailed}>
        {({ emails }) => <AccountsOf id={id} emails={emails} />}
      </Answered>
    </section>
  );
}
