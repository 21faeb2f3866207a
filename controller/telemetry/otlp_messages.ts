/** The messages of OTLP as tables, and the bytes of what is sent: names, numbers and types of fields are a contract. */
import { readMessages } from "@tiphys/proto/read_schema";
import { writeMessage } from "@tiphys/proto/write_message";

const OTLP = `
package otlp
AnyValue
  1 stringValue string?
ExportMetricsServiceRequest
  1 resourceMetrics []ResourceMetrics
ExportTraceServiceRequest
  1 resourceSpans []ResourceSpans
Gauge
  1 dataPoints []NumberDataPoint
Histogram
  1 dataPoints []HistogramDataPoint; 2 aggregationTemporality int32
HistogramDataPoint
  2 startTimeUnixNano fixed64; 3 timeUnixNano fixed64; 4 count fixed64; 5 sum double?; 6 bucketCounts []fixed64 packed
  7 explicitBounds []double packed; 9 attributes []KeyValue
InstrumentationScope
  1 name string
KeyValue
  1 key string; 2 value AnyValue
Metric
  1 name string; 2 description string; 5 gauge Gauge?; 7 sum Sum?; 9 histogram Histogram?
NumberDataPoint
  2 startTimeUnixNano fixed64; 3 timeUnixNano fixed64; 7 attributes []KeyValue; 4 asDouble double?
Resource
  1 attributes []KeyValue
ResourceMetrics
  1 resource Resource; 2 scopeMetrics []ScopeMetrics
ResourceSpans
  1 resource Resource; 2 scopeSpans []ScopeSpans
ScopeMetrics
  1 scope InstrumentationScope; 2 metrics []Metric
ScopeSpans
  1 scope InstrumentationScope; 2 spans []Span
Span
  1 traceId hex; 2 spanId hex; 4 parentSpanId hex; 5 name string; 6 kind int32; 7 startTimeUnixNano fixed64
  8 endTimeUnixNano fixed64; 9 attributes []KeyValue; 15 status Status
Status
  2 message string; 3 code int32
Sum
  1 dataPoints []NumberDataPoint; 2 aggregationTemporality int32; 3 isMonotonic bool
`;

const MESSAGES = readMessages([OTLP]);

/** The names of the requests by what they carry. */
const REQUESTS = { metrics: "otlp.ExportMetricsServiceRequest", traces: "otlp.ExportTraceServiceRequest" } as const;

/** The bytes of a request whose JSON is given. */
export function requestBytes(signal: keyof typeof REQUESTS, json: object): Uint8Array<ArrayBuffer> {
  return writeMessage(messageOf(REQUESTS[signal]), json);
}

function messageOf(name: string) {
  const message = MESSAGES.get(name);
  if (!message) throw new Error(`No message ${name}`);
  return message;
}
