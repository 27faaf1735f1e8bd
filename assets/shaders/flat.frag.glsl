uniform vec4 fill;
out vec4 color;

void main() {
    color = fill;
}
