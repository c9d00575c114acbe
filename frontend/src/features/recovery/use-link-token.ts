import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * What the letter's link holds; null if it holds nothing, undefined until that is known. It is taken out of the address as
 * soon as it is read: whoever looks at the screen, the history or a shared address later finds none.
 */
export function useLinkToken(): string | null | undefined {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>();

  useEffect(() => {
    const found = new URLSearchParams(search).get('token');
    if (!found) {
      setToken((before) => before ?? null);
      return;
    }
    setToken(found);
    navigate(pathname, { replace: true });
  }, [pathname, search, navigate]);

  return token;
}
