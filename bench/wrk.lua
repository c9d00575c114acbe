-- Sends the requests of a file in turn, each thread from a place of its own. The file: one request per block, blocks apart
-- by an empty line: "METHOD target", then "name: value" lines, then, after "body: ", the body on one line. "$KEY" in a
-- header becomes another value in each request.

local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local requests, place, run = {}, 0, ""
function init(args)
  -- Two runs within a second must not send the same keys.
  local random = io.open("/dev/urandom", "rb")
  for byte in random:read(8):gmatch(".") do run = run .. string.format("%02x", byte:byte()) end
  random:close()
  math.randomseed(tonumber(run:sub(1, 8), 16) + number)
  local headers, method, target, body = {}, nil, nil, nil
  local function add()
    if not method then return end
    requests[#requests + 1] = wrk.format(method, target, headers, body)
    headers, method, target, body = {}, nil, nil, nil
  end
  for line in io.lines(args[1]) do
    if line == "" then
      add()
    elseif not method then
      method, target = line:match("^(%S+) (%S+)$")
    else
      local name, value = line:match("^([^:]+): (.*)$")
      if name == "body" then body = value else headers[name] = value end
    end
  end
  add()
  place = math.random(#requests)
end

local sent = 0
function request()
  place = place % #requests + 1
  sent = sent + 1
  local key = string.format("%s-%d-%d", run, number, sent)
  return (requests[place]:gsub("%$KEY", key))
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"bytes":%d,"p50":%.3f,"p99":%.3f,"max":%.3f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    failed.status, failed.connect + failed.read + failed.write + failed.timeout))
end
