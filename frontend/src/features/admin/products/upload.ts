import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { readToken, renewToken } from '@/api/access-token';
import { type Problem, readProblem } from '@/api/problem';
import type { Uploaded } from '@/api/types';

/** A slow line may take its time with 5 MB, a dead one may not hold the form for ever. */
const TIMEOUT = 120_000;

export type Upload =
  | { url: string }
  /** `lost` when the shop says that the session is over. */
  | { error: Problem; lost: boolean };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One try. Not by `fetch`, which does not report upload progress. */
function send(file: File, onProgress: (part: number) => void): Promise<Upload> {
  return new Promise((done) => {
    const fail = (error: FetchBaseQueryError) => done({ error: readProblem(error), lost: false });
    const request = new XMLHttpRequest();
    request.open('POST', `${location.origin}/images`);
    request.timeout = TIMEOUT;
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    const token = readToken();
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onerror = () => fail({ status: 'FETCH_ERROR', error: 'No answer to the upload.' });
    request.ontimeout = () => fail({ status: 'TIMEOUT_ERROR', error: 'The upload took too long.' });
    request.onload = () => {
      const data = parse(request.responseText);
      const url = (data as Partial<Uploaded> | undefined)?.data?.url;
      if (request.status >= 200 && request.status < 300 && url) done({ url });
      else fail({ status: request.status, data });
    };
    const form = new FormData();
    form.append('image', file);
    request.send(form);
  });
}

/**
 * Hands a picture to the shop and answers its address. `onProgress` hears the part that has left, 0 to 1. Like every
 * call of the client it renews a token that has run out, once.
 */
export async function uploadImage(
  file: File,
  email: string,
  onProgress: (part: number) => void,
): Promise<Upload> {
  const first = await send(file, onProgress);
  if (!('error' in first) || first.error.status !== 401) return first;
  const renewed = await renewToken(email);
  if (renewed.kind === 'renewed') return send(file, onProgress);
  return { ...first, lost: renewed.kind === 'refused' };
}
