import { useRef, useState } from 'react';
import { clearToken } from '@/api/access-token';
import type { Problem } from '@/api/problem';
import { sessionLost } from '@/api/session-state';
import { useSessionDispatch, useUser } from '@/features/accounts/session/use-session';
import { messages } from './messages';
import { uploadImage } from './upload';

/** Uploads a picture once, however often the form is sent until the product is in. */
export function useUpload() {
  const user = useUser();
  const dispatch = useSessionDispatch();
  const uploaded = useRef<{ file: File; url: string } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  const upload = async (file: File) => {
    if (uploaded.current?.file === file) return { url: uploaded.current.url };
    setProgress(0);
    const answer = await uploadImage(file, user?.email ?? '', setProgress);
    setProgress(null);
    if ('url' in answer) {
      uploaded.current = { file, url: answer.url };
    } else if (answer.lost) {
      clearToken();
      dispatch(sessionLost());
    }
    return answer;
  };
  return { upload, progress };
}

/** Too large, no picture, none at all: what another picture would mend. */
const aboutThePicture = new Set([413, 415, 422]);

/** Puts the refusal of a picture at its field, if another picture would mend it, and answers the form's sentence. */
export function takeUploadRefusal(
  { status, message }: Problem,
  setErrors: (errors: { image: string }) => void,
): string {
  if (!aboutThePicture.has(status)) return message;
  setErrors({ image: message });
  return messages.addPage.uploadFailed;
}
