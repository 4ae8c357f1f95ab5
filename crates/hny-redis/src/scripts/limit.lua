-- A sliding window: the times, in microseconds, of what was allowed, oldest first. What is refused is not kept, so there are
-- never more than the limit.
-- KEYS[1]: the list. ARGV: how many are allowed; the length of the window in microseconds.
-- Answers: 1 or 0; how many are left; when one will be allowed and when all, in microseconds from now.
local key, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local now = clock

local function at(index)
  return tonumber(redis.call('LINDEX', key, index) or now)
end

-- Where the clock was set back a little, time stands still; where it was set back by more than the window, all begins anew.
local newest = at(-1)
if newest - now > window then
  redis.call('DEL', key)
elseif newest > now then
  now = newest
end

while redis.call('LLEN', key) > 0 and at(0) + window <= now do
  redis.call('LPOP', key)
end
local count = redis.call('LLEN', key)
if count < max then
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil((now - clock + window) / 1000))
  return {1, max - count - 1, 0, window}
end
-- Where the limit was lowered, more than one has to leave.
return {0, 0, at(count - max) + window - now, at(-1) + window - now}
