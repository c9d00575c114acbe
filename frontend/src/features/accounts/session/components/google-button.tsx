import { LEFT_FROM, store } from '@/lib/tab-storage';
import { useGetConfigQuery } from '../api';
import { authMessages } from '../pages/messages';

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5">
      <path
        fill="#4285f4"
        d="M22.5 12.3c0-.8-.1-1.5-.2-2.3H12v4.3h5.900a5 5 0 0 1-2.200 3.3v2.800h3.600c2.100-1.900 3.200-4.800 3.200-8.100z"
      />
      <path
        fill="#34a853"
        d="M12 23c3 0 5.500-1 7.300-2.600l-3.600-2.800c-1 .7-2.200 1.100-3.700 1.100-2.900 0-5.300-1.900-6.200-4.500H2.200V17A11 11 0 0 0 12 23z"
      />
      <path fill="#fbbc05" d="M5.800 14.200a6.600 6.600 0 0 1 0-4.3V7H2.200a11 11 0 0 0 0 10z" />
      <path
        fill="#ea4335"
        d="M12 5.400c1.600 0 3.100.6 4.200 1.700L19.400 4A11 11 0 0 0 2.200 7l3.600 2.900C6.700 7.300 9.100 5.400 12 5.400z"
      />
    </svg>
  );
}

/** Leaves for Google and comes back to `from`. Absent where the shop has no Google. */
export function GoogleButton({ from }: { from: string }) {
  const { data } = useGetConfigQuery();
  if (!data?.google) return null;
  return (
    <>
      <div className="flex items-center gap-4 text-muted" aria-hidden="true">
        <span className="h-px flex-1 bg-base-300" />
        {authMessages.or}
        <span className="h-px flex-1 bg-base-300" />
      </div>
      <button
        type="button"
        className="btn btn-outline w-full"
        onClick={() => {
          // Whoever is refused there comes back to Login, which then knows what they were about.
          store(LEFT_FROM, from);
          location.assign(`/auth/google?from=${encodeURIComponent(from)}`);
        }}
      >
        <GoogleMark />
        {authMessages.google}
      </button>
    </>
  );
}
