-- When a known device's login failed for the last time that still counts: the limit-th before now.

SELECT (
    SELECT at FROM login_guesses WHERE device = :device AND at >= :window_start
    ORDER BY at DESC
    OFFSET :device_limit - 1 LIMIT 1);
