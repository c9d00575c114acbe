-- Saves the fields of a profile that are to be set. A row that would not change is not written. Returns whether the
-- profile is new: xmax is 0 only for a newly inserted row.

INSERT INTO profiles AS old (account_id, study_in, lives_in, phone, facebook, linkedin, github, saved_at)
VALUES (:account, :study_in, :lives_in, :phone, :facebook, :linkedin, :github, :saved_at)
ON CONFLICT (account_id) DO UPDATE SET
    study_in = CASE WHEN :sets_study_in THEN excluded.study_in ELSE old.study_in END,
    lives_in = CASE WHEN :sets_lives_in THEN excluded.lives_in ELSE old.lives_in END,
    phone = CASE WHEN :sets_phone THEN excluded.phone ELSE old.phone END,
    facebook = CASE WHEN :sets_facebook THEN excluded.facebook ELSE old.facebook END,
    linkedin = CASE WHEN :sets_linkedin THEN excluded.linkedin ELSE old.linkedin END,
    github = CASE WHEN :sets_github THEN excluded.github ELSE old.github END,
    saved_at = excluded.saved_at
WHERE (:sets_study_in AND old.study_in IS DISTINCT FROM excluded.study_in)
    OR (:sets_lives_in AND old.lives_in IS DISTINCT FROM excluded.lives_in)
    OR (:sets_phone AND old.phone IS DISTINCT FROM excluded.phone)
    OR (:sets_facebook AND old.facebook IS DISTINCT FROM excluded.facebook)
    OR (:sets_linkedin AND old.linkedin IS DISTINCT FROM excluded.linkedin)
    OR (:sets_github AND old.github IS DISTINCT FROM excluded.github)
RETURNING old.xmax = 0;
