import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * What the e-mail's link holds under a name; null if it holds nothing, undefined until that is known. It stands behind `#`,
 * which no server and no log on the way sees; links that were sent before it did have it behind `?`. It is taken out of the
 * address as soon as it is read: whoever looks at the screen, the history or a shared address later finds none.
 */
export function useLinkToken(name = 'token'): string | null | undefined {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>();

  useEffect(() => {
    const found = [hash.slice(1), search]
      .map((part) => new URLSearchParams(part).get(name))
      .find(Boolean);
    if (!found) {
      setToken((before) => before ?? null);
      return;
    }
    setToken(found);
    navigate(pathname, { replace: true });
  }, [pathname, search, hash, name, navigate]);

  return token;
}
