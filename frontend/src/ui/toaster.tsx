import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import {
  cssTransition,
  ToastContainer,
  type ToastContentProps,
  toast,
} from 'react-toastify/unstyled';
import { cx } from './cx';
import * as messages from './late-messages';
import { type Notice, takeNotices } from './notify';

/** Time to notice what was done, and to get to the button that takes it back. */
const UNDO_MS = 10_000;

const slide = cssTransition({ enter: 'toast-enter', exit: 'toast-exit' });

const variants = {
  success: { Icon: CircleCheck, textColor: 'text-success', borderColor: 'border-l-success' },
  error: { Icon: CircleAlert, textColor: 'text-error', borderColor: 'border-l-error' },
  info: { Icon: Info, textColor: 'text-info', borderColor: 'border-l-info' },
} as const;

function Message({ data, closeToast, toastProps }: ToastContentProps<Notice>) {
  const { Icon, textColor, borderColor } = variants[data.tone];
  const id = toastProps.toastId;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches whether the focus is inside, to hold the clock.
    <div
      className={cx(
        'card-surface flex w-full items-start gap-3 border-l-4 p-4 shadow-raised',
        borderColor,
      )}
      onFocus={() => toast.pause({ id })}
      onBlur={() => toast.play({ id })}
    >
      <Icon aria-hidden="true" className={cx('mt-0.5 size-5 shrink-0', textColor)} />
      <p className="min-w-0 flex-1">{data.text}</p>
      {data.undo && (
        <button
          type="button"
          className="link-accent -my-2.5 min-h-11 cursor-pointer"
          onClick={() => {
            closeToast();
            data.undo?.();
          }}
        >
          {messages.undo}
        </button>
      )}
      <button
        type="button"
        className="-my-2.5 -mr-2.5 grid size-11 shrink-0 cursor-pointer place-content-center"
        onClick={() => closeToast()}
        aria-label={messages.dismiss}
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

export default function Toaster({ wakeUps }: { wakeUps: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wake-up stands for messages that wait.
  useEffect(() => {
    // Only once the container stays: StrictMode mounts it twice, and the first one takes its toasts with it.
    const timer = setTimeout(() => {
      for (const notice of takeNotices()) {
        toast(Message, { data: notice, ...(notice.undo ? { autoClose: UNDO_MS } : {}) });
      }
    });
    return () => clearTimeout(timer);
  }, [wakeUps]);

  return (
    <ToastContainer
      position="top-right"
      transition={slide}
      autoClose={5000}
      pauseOnHover
      pauseOnFocusLoss
      closeOnClick={false}
      closeButton={false}
      draggable={false}
      hideProgressBar
      icon={false}
      aria-label={messages.toasts}
    />
  );
}
