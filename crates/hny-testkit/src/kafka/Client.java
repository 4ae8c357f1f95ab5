import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Asks a server, by Kafka's own client: what it sees is what others see. */
final class Client {
    public static void main(String[] words) throws Exception {
        Properties server = new Properties();
        server.put("bootstrap.servers", words[1]);
        switch (words[0]) {
            case "create" -> create(server, words[2], Integer.parseInt(words[3]));
            case "read" -> read(server, words[2]);
            case "write" -> write(server, words[2]);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void create(Properties server, String topic, int partitions) throws Exception {
        try (Admin admin = Admin.create(server)) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty()))).all().get();
        }
    }

    /** Writes all that is committed, if the topic is there: a line for each record, with its partition, key and value. */
    private static void read(Properties server, String topic) {
        server.put("isolation.level", "read_committed");
        var text = new StringDeserializer();
        try (var consumer = new KafkaConsumer<>(server, text, text)) {
            var found = consumer.listTopics().getOrDefault(topic, List.of());
            consumer.assign(found.stream().map(it -> new TopicPartition(topic, it.partition())).toList());
            consumer.seekToBeginning(consumer.assignment());
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            // There may be hundreds of thousands.
            var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(Duration.ofSeconds(1))) {
                    out.print(record.partition() + "\t" + record.key() + "\t" + record.value() + "\n");
                }
            }
            out.flush();
        }
    }

    /** Sends a record for each line of the input, which is a key and a value. */
    private static void write(Properties server, String topic) throws Exception {
        var sent = new ArrayList<Future<?>>();
        var text = new StringSerializer();
        try (var producer = new KafkaProducer<>(server, text, text);
                var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split("\t", 2);
                sent.add(producer.send(new ProducerRecord<>(topic, parts[0], parts[1])));
            }
            for (Future<?> record : sent) {
                record.get();
            }
        }
    }
}
