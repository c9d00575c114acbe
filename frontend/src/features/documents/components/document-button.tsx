import { Download } from 'lucide-react';
import { problemOf } from '@/api/problem';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { useDownloadDocumentMutation } from '../api';
import { messages } from '../messages';

interface DocumentButtonProps {
  /** Where the file is. */
  url: string;
  label: string;
  /** Which document it is, where the label does not say. */
  context?: string;
  variant?: 'outline' | 'ghost';
}

/** Downloads a document. It needs the bearer, so it cannot be a mere link. */
export function DocumentButton({ url, label, context, variant = 'outline' }: DocumentButtonProps) {
  const [save, { isLoading }] = useDownloadDocumentMutation();
  const download = async () => {
    const { error } = await save(url);
    if (error) {
      const what = context ? `${context} (${label})` : label;
      notify.error(messages.saveFailed(what, problemOf(error).message));
    }
  };
  return (
    <Button variant={variant} busy={isLoading} onClick={() => void download()}>
      {!isLoading && <Download aria-hidden="true" className="size-5" />}
      {label}
      {context && <span className="sr-only"> {context}</span>}
    </Button>
  );
}
