import { type CallError, problemOf } from '@/api/problem';
import { notify } from './notify';

interface Step {
  call: () => PromiseLike<{ error?: CallError | undefined }>;
  /** What is said when the server refuses, with its reason. */
  failed: (reason: string) => string;
}

interface Undoable extends Step {
  /** Shows it as done before the server has answered; answers what shows it as it was. */
  show: () => { undo: () => void };
  /** What is said once it is done. */
  done: string;
  back: Step;
}

/** Does at once, and without asking, what can be taken back, and offers to take it back. */
export async function doUndoable({ show, call, failed, done, back }: Undoable): Promise<void> {
  const shown = show();
  const { error } = await call();
  if (error) {
    shown.undo();
    notify.error(failed(problemOf(error).message));
    return;
  }
  notify.undoable(done, async () => {
    const taken = await back.call();
    if (taken.error) notify.error(back.failed(problemOf(taken.error).message));
  });
}
